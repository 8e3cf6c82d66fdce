package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// sortedKeys writes JSON with the keys of each object in byte order and
// changes nothing else: numbers, escapes and duplicated keys stay as they are,
// which decoding into a map would lose.
func sortedKeys(text string) (string, error) {
	if !json.Valid([]byte(text)) {
		return "", fmt.Errorf("not JSON: %q", text)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	return sortedValue(decoder, text)
}

func sortedValue(decoder *json.Decoder, text string) (string, error) {
	// The decoder stands before the separator as well, so the value itself
	// begins after it.
	start := decoder.InputOffset()
	token, err := decoder.Token()
	if err != nil {
		return "", err
	}
	switch token {
	case json.Delim('['):
		var items []string
		for decoder.More() {
			item, err := sortedValue(decoder, text)
			if err != nil {
				return "", err
			}
			items = append(items, item)
		}
		_, err := decoder.Token()
		return "[" + strings.Join(items, ",") + "]", err
	case json.Delim('{'):
		type member struct{ key, text string }
		var members []member
		for decoder.More() {
			keyStart := decoder.InputOffset()
			key, err := decoder.Token()
			if err != nil {
				return "", err
			}
			keyText := scalar(text[keyStart:decoder.InputOffset()])
			value, err := sortedValue(decoder, text)
			if err != nil {
				return "", err
			}
			members = append(members, member{key.(string), keyText + ":" + value})
		}
		// A stable sort keeps the order of duplicated keys, which decides
		// which of them a reader sees.
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
		var out bytes.Buffer
		out.WriteByte('{')
		for i, one := range members {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(one.text)
		}
		out.WriteByte('}')
		_, err := decoder.Token()
		return out.String(), err
	default:
		return scalar(text[start:decoder.InputOffset()]), nil
	}
}

func scalar(text string) string {
	return strings.TrimLeft(text, " \t\r\n,:")
}
