// Command oracle answers requests, one JSON object per line, with what the
// real Go libraries do. README.md lists the requests.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"convoy-lsp/oracle/internal/oracle"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// serve answers each line of in with one line on out, in order.
func serve(in io.Reader, out io.Writer) error {
	// A bufio.Scanner refuses lines over a fixed size, and a request may hold
	// a document of several megabytes, so the lines are read without a limit.
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			// Each answer goes out at once, because a caller may wait for it
			// before it sends the next request.
			if _, err := out.Write(append(oracle.AnswerLine(line), '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
