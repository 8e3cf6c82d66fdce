package oracle

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Versions returns the Go release and the modules that this program was built
// with. A caller can tell from it whether the answers are those of the pinned
// toolchain: Go falls back to the installed one where it may not fetch another.
func Versions() map[string]string {
	versions := map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go")}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			versions[module.Path] = module.Version
		}
	}
	return versions
}

func runVersions(Request) (Answer, error) {
	answer := Answer{}
	for name, version := range Versions() {
		answer[name] = version
	}
	return answer, nil
}
