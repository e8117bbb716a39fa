package pack

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestScriptsImportInNoCircle: the modules of web/src have an order, so each can be read, tested and moved with those below it alone.
func TestScriptsImportInNoCircle(t *testing.T) {
	imports := importsOf(t, filepath.Join("..", "..", "src"))
	if len(imports) < 20 {
		t.Fatalf("only %d modules", len(imports))
	}
	if circle := circleIn(imports); circle != nil {
		t.Errorf("a circle: %s", strings.Join(circle, " → "))
	}
}

func TestCircleIn(t *testing.T) {
	for _, c := range []struct {
		imports map[string][]string
		want    string
	}{
		{map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": nil}, ""},
		{map[string][]string{"a": {"a"}}, "a a"},
		{map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "d": nil}, "b c b"},
	} {
		if got := strings.Join(circleIn(c.imports), " "); got != c.want {
			t.Errorf("%v: %q, want %q", c.imports, got, c.want)
		}
	}
}

// importsOf returns what each module of a folder imports from it, at once or later, as esbuild reports it.
func importsOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := filepath.Glob(filepath.Join(folder, "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: folder, EntryPoints: entries, Bundle: true, Packages: api.PackagesExternal, Format: api.FormatESModule, Splitting: true,
		Outdir: "out", Metafile: true,
	})
	if err := messages("bundling", res.Errors, res.Warnings); err != nil {
		t.Fatal(err)
	}
	var meta struct {
		Inputs map[string]struct {
			Imports []struct {
				Path     string
				External bool
			}
		}
	}
	if err := json.Unmarshal([]byte(res.Metafile), &meta); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for name, in := range meta.Inputs {
		all[name] = nil
		for _, i := range in.Imports {
			if !i.External {
				all[name] = append(all[name], i.Path)
			}
		}
	}
	return all
}

// circleIn returns a path of imports that comes back to its first module, nil if there is none.
func circleIn(imports map[string][]string) []string {
	done := map[string]bool{}
	var path []string
	var visit func(string) []string
	visit = func(name string) []string {
		if i := slices.Index(path, name); i >= 0 {
			return append(slices.Clone(path[i:]), name)
		}
		if done[name] {
			return nil
		}
		path = append(path, name)
		for _, next := range imports[name] {
			if circle := visit(next); circle != nil {
				return circle
			}
		}
		path = path[:len(path)-1]
		done[name] = true
		return nil
	}
	names := make([]string, 0, len(imports))
	for name := range imports {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if circle := visit(name); circle != nil {
			return circle
		}
	}
	return nil
}
