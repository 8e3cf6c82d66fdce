package main

import "strings"

// celPairValues has a value of each type.
var celPairValues = []string{
	"1", "2u", "1.5", "'a'", "b'a'", "true", "null", "[1]", "{'a': 1}", "ts", "du", "int", "oi", "ip('::1')", "object",
}

var celPairOperators = []string{"+", "-", "*", "/", "%", "<", "<=", ">", ">=", "in", "&&", "||"}

// pairs crosses operators with the types of both sides, once as the checker
// sees them and once behind dyn. A fourth of the combinations is enough,
// since types and operators come in families.
func (m *celMaker) pairs() error {
	for o, operator := range celPairOperators {
		for l, left := range celPairValues {
			for r, right := range celPairValues {
				if (o+2*l+5*r)%11 == 0 {
					if err := m.add("pair", left+" "+operator+" "+right, nil); err != nil {
						return err
					}
				}
				if (o+3*l+r)%7 == 1 {
					if err := m.add("pair", "dyn("+left+") "+operator+" dyn("+right+")", nil); err != nil {
						return err
					}
				}
			}
		}
	}
	// Equality is defined between all types, so that one case asks for a row.
	for _, left := range celPairValues {
		row := ""
		for _, right := range celPairValues {
			row += ", dyn(" + left + ") == " + right
		}
		if err := m.add("pair", "["+row[2:]+"]", nil); err != nil {
			return err
		}
		for r, right := range celPairValues {
			// Types that are never an index are refused before the other side is looked at.
			if left != celPairValues[0] && (r+len(left))%3 == 0 && !strings.ContainsAny(right, "12'") {
				continue
			}
			if err := m.add("index", "dyn("+left+")["+right+"]", nil); err != nil {
				return err
			}
		}
	}
	return nil
}
