package oracle

import (
	"fmt"
	"os"
	_ "unsafe" // for go:linkname

	// The package whose choice is taken away below is one of its own.
	_ "google.golang.org/protobuf/encoding/protojson"
)

// The protobuf library writes JSON with or without spaces, and the prefix of
// its errors with one of two kinds of space, by a hash of the running program,
// so that nobody relies on either. Here it would make answers change with each
// build; every program that we are like has one of these forms.

//go:linkname protoSeed google.golang.org/protobuf/internal/detrand.randSeed
var protoSeed uint64

//go:linkname protoPrefix google.golang.org/protobuf/internal/errors.prefix
var protoPrefix string

func init() {
	protoSeed = 0
	if len(protoPrefix) < len("proto:") {
		// Another release may have other names; its answers are not ours.
		fmt.Fprintln(os.Stderr, "oracle: the protobuf library is not the one that go.mod pins")
		os.Exit(1)
	}
	protoPrefix = "proto: "
}
