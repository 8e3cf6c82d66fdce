package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// modules are those whose sources have the types.
var modules = []string{
	"k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver", "k8s.io/kube-aggregator", "k8s.io/client-go",
}

// enumMark is the line of a comment that makes a text type an enumeration for
// OpenAPI.
const enumMark = "+enum"

// sources are the packages that were read, by their path.
type sources struct {
	folders  map[string]string
	packages map[string]*source
}

// source has what a package declares.
type source struct {
	enums map[string]bool
	// constants in their order.
	constants []constant
}

// constant is a text constant: its type as it is written, if it is, and its
// value, which may be that of another constant.
type constant struct {
	name  string
	typed string
	value ast.Expr
	// imports of the file by the name that they have in it.
	imports map[string]string
}

// newSources finds the sources of a release. Of the modules but k8s.io/api
// those of the newest are taken: they have hardly an enumeration.
func newSources(at release) (*sources, error) {
	s := &sources{folders: map[string]string{}, packages: map[string]*source{}}
	for _, module := range modules {
		from := newest
		if module == "k8s.io/api" {
			from = at
		}
		folder, err := from.folder(module)
		if err != nil {
			return nil, err
		}
		s.folders[module] = folder
	}
	return s, nil
}

// enumerations gives the values of those of the named types that are
// enumerations in a release, sorted.
func enumerations(named map[string]bool, at release) (map[string][]string, error) {
	sources, err := newSources(at)
	if err != nil {
		return nil, err
	}
	enums := map[string][]string{}
	for full := range named {
		dot := strings.LastIndex(full, ".")
		pkgPath, name := full[:dot], full[dot+1:]
		pkg, err := sources.load(pkgPath)
		if errors.Is(err, fs.ErrNotExist) {
			// The release does not have this version of the group yet.
			continue
		}
		if err != nil {
			return nil, err
		}
		if !pkg.enums[name] {
			continue
		}
		values := []string{}
		for _, constant := range pkg.constants {
			if constant.isOf(name) {
				value, err := sources.text(pkgPath, constant.value, constant.imports)
				if err != nil {
					return nil, fmt.Errorf("%s.%s: %w", pkgPath, constant.name, err)
				}
				values = append(values, value)
			}
		}
		slices.Sort(values)
		enums[full] = slices.Compact(values)
	}
	return enums, nil
}

// isOf says whether a constant has the named type: by its declaration, or by
// a conversion.
func (c constant) isOf(name string) bool {
	if c.typed != "" {
		return c.typed == name
	}
	call, ok := c.value.(*ast.CallExpr)
	if !ok {
		return false
	}
	ident, ok := call.Fun.(*ast.Ident)
	return ok && ident.Name == name
}

// text is the value of a constant expression.
func (s *sources) text(pkgPath string, value ast.Expr, imports map[string]string) (string, error) {
	switch value := value.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(value.Value)
	case *ast.CallExpr:
		if len(value.Args) == 1 {
			return s.text(pkgPath, value.Args[0], imports)
		}
	case *ast.ParenExpr:
		return s.text(pkgPath, value.X, imports)
	case *ast.Ident:
		return s.constant(pkgPath, value.Name)
	case *ast.SelectorExpr:
		if ident, ok := value.X.(*ast.Ident); ok {
			return s.constant(imports[ident.Name], value.Sel.Name)
		}
	}
	return "", fmt.Errorf("unexpected constant expression %T", value)
}

func (s *sources) constant(pkgPath, name string) (string, error) {
	pkg, err := s.load(pkgPath)
	if err != nil {
		return "", err
	}
	for _, constant := range pkg.constants {
		if constant.name == name {
			return s.text(pkgPath, constant.value, constant.imports)
		}
	}
	return "", fmt.Errorf("no constant %s in %s", name, pkgPath)
}

// load reads the files of a package.
func (s *sources) load(pkgPath string) (*source, error) {
	if pkg, ok := s.packages[pkgPath]; ok {
		return pkg, nil
	}
	folder := ""
	for module, at := range s.folders {
		if rest, ok := strings.CutPrefix(pkgPath, module+"/"); ok {
			folder = filepath.Join(at, rest)
		}
	}
	if folder == "" {
		return nil, fmt.Errorf("no module has the package %q", pkgPath)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	pkg := &source{enums: map[string]bool{}}
	s.packages[pkgPath] = pkg
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zz_") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		pkg.read(file)
	}
	return pkg, nil
}

// read adds what a file declares.
func (p *source) read(file *ast.File) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(at)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = at
	}
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if marked(spec.Doc) || marked(general.Doc) {
					p.enums[spec.Name.Name] = true
				}
			case *ast.ValueSpec:
				if general.Tok == token.CONST {
					p.constants = append(p.constants, constantsOf(spec, imports)...)
				}
			}
		}
	}
}

// marked says whether a comment marks an enumeration.
func marked(comment *ast.CommentGroup) bool {
	if comment == nil {
		return false
	}
	for _, line := range comment.List {
		if strings.TrimSpace(strings.TrimPrefix(line.Text, "//")) == enumMark {
			return true
		}
	}
	return false
}

func constantsOf(spec *ast.ValueSpec, imports map[string]string) []constant {
	typed := ""
	if ident, ok := spec.Type.(*ast.Ident); ok {
		typed = ident.Name
	}
	var all []constant
	for i, name := range spec.Names {
		if i < len(spec.Values) {
			all = append(all, constant{name: name.Name, typed: typed, value: spec.Values[i], imports: imports})
		}
	}
	return all
}
