// Command identifiers lists every identifier of k6 that the extension uses, with its type in the
// contract and where it is used. It reads what `go list -deps -test -export -json` prints.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	k6Prefix  = "go.k6.io/k6/v2/"
	ownPrefix = "github.com/bookstore-bench/xk6-grpcweb"
)

// listed is a package as go list prints it.
type listed struct {
	ImportPath string
	Dir        string
	Export     string
	ForTest    string
	GoFiles    []string
	ImportMap  map[string]string
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "identifiers:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	packages, exports, err := readList(in)
	if err != nil {
		return err
	}
	found := make(uses)
	for _, p := range packages {
		if err := found.inPackage(p, exports); err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	if len(found) == 0 {
		return errors.New("no identifier was found; is the input that of go list -deps -test -export -json?")
	}
	for _, line := range found.lines() {
		fmt.Fprintln(out, line)
	}
	return nil
}

// readList returns the extension's packages and the export data of all.
func readList(in io.Reader) (own []listed, exports map[string]string, err error) {
	exports = make(map[string]string)
	for decoder := json.NewDecoder(in); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return own, exports, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("input of go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, ownPrefix) && !strings.HasSuffix(p.ImportPath, ".test") {
			own = append(own, p)
		}
	}
}

// uses maps each identifier with its type to the files that use it.
type uses map[string]map[string]bool

func (u uses) inPackage(p listed, exports map[string]string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if actual, ok := p.ImportMap[path]; ok {
			path = actual
		}
		return os.Open(exports[path])
	})}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	if _, err := config.Check(p.ImportPath, fset, files, info); err != nil {
		return err
	}
	owners := make(map[*ast.Ident]types.Type)
	for expression, selection := range info.Selections {
		owners[expression.Sel] = selection.Recv()
	}
	for identifier, object := range info.Uses {
		if object.Pkg() != nil && strings.HasPrefix(object.Pkg().Path(), k6Prefix) {
			path := fset.Position(identifier.Pos()).Filename
			u.add(describe(object, owners[identifier]), filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)))
		}
	}
	return nil
}

func (u uses) add(identifier, file string) {
	if u[identifier] == nil {
		u[identifier] = make(map[string]bool)
	}
	u[identifier][file] = true
}

// lines lists what the extension itself uses first and what only its tests use after it.
func (u uses) lines() []string {
	var code, tests []string
	for identifier, files := range u {
		var names []string
		inTests := true
		for name := range files {
			names = append(names, name)
			inTests = inTests && (strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "vutest/"))
		}
		slices.Sort(names)
		line := identifier + "\n      " + strings.Join(names, ", ")
		if inTests {
			tests = append(tests, line)
		} else {
			code = append(code, line)
		}
	}
	slices.Sort(code)
	slices.Sort(tests)
	return slices.Concat([]string{"In the extension:"}, code, []string{"", "In its tests only:"}, tests)
}

func describe(object types.Object, owner types.Type) string {
	qualify := func(p *types.Package) string { return p.Name() }
	name := object.Name()
	if owner != nil {
		if pointer, ok := owner.(*types.Pointer); ok {
			owner = pointer.Elem()
		}
		name = strings.TrimPrefix(types.TypeString(owner, qualify), object.Pkg().Name()+".") + "." + name
	}
	text := "  " + strings.TrimPrefix(object.Pkg().Path(), k6Prefix) + " " + name
	if _, isType := object.(*types.TypeName); isType {
		return text
	}
	return text + "  " + strings.TrimPrefix(types.TypeString(object.Type(), qualify), "untyped ")
}
