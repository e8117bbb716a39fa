package pack

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/web/must"
)

// module is a module that the wasm is built with in a changed copy: without parts that a browser never runs, but that the linker can't
// leave out by itself. No copy is committed, and a version of the module that does not fit the changes does not build.
type module struct {
	path    string            // of the module
	dirs    []string          // the folders to copy
	files   map[string]string // of the first folder: the text of files that are replaced, by name; those of other names are added
	changes []edits
	sources map[string]source // files that are added from this repository
}

// edits are texts that occur once in a file, and their replacements, by the file.
type edits map[string][][2]string

// replaced has the changes of files, and the files that take the place of others, by the module: Go for another build than this one, so their
// names end with .txt.
//
//go:embed replaced
var replaced embed.FS

// replacements returns those of a module by their names.
func replacements(module string) map[string]string {
	all := map[string]string{}
	for _, e := range must.Have(replaced.ReadDir("replaced/" + module)) {
		all[strings.TrimSuffix(e.Name(), ".txt")] = string(must.Have(replaced.ReadFile("replaced/" + module + "/" + e.Name())))
	}
	return all
}

// changesOf reads changes: in the archive the text that takes the place of another follows it.
func changesOf(name string) edits {
	all := edits{}
	files := txtar.Parse(must.Have(replaced.ReadFile("replaced/" + name + ".txtar"))).Files
	for pair := range slices.Chunk(files, 2) {
		must.Be(len(pair) == 2 && pair[1].Name == "becomes", "%s: nothing takes the place of a text of %s", name, pair[0].Name)
		all[pair[0].Name] = append(all[pair[0].Name], [2]string{string(pair[0].Data), string(pair[1].Data)})
	}
	return all
}

// source is a file of this repository that a copy gets, in a package of another name.
type source struct{ file, clause, newClause string }

// copies are the modules to change.
var copies = []module{goApp, kubernetesYAML, yaml2, yaml3, echarts}

// copyDir is the folder of the copies, relative to the root. The path ends up in the wasm, so it must be the same in every build and on
// every machine: otherwise equal sources would give another file, and every visitor another download.
const copyDir = "./web/node_modules/.cache/modules/"

// withCopies copies the modules and writes a go.mod into dir that replaces them by their copies. It returns that go.mod, for
// go build -modfile.
func withCopies(root, dir string) (modfile string) {
	defer lock("modules")()
	var replaced strings.Builder
	for _, m := range copies {
		to := copyDir + strings.ReplaceAll(m.path, "/", "-")
		m.copy(root, filepath.Join(root, to))
		fmt.Fprintf(&replaced, "\nreplace %s => %s", m.path, to)
	}
	return modfileWith(root, dir, replaced.String()+"\n")
}

// copy copies the module's Go files except for tests, with the changes.
func (m *module) copy(root, to string) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", m.path)
	cmd.Dir = root
	from := strings.TrimSpace(string(must.Have(cmd.Output())))
	writeNew(filepath.Join(to, "go.mod"), must.Have(os.ReadFile(filepath.Join(from, "go.mod"))))
	for i, dir := range m.dirs {
		files := m.changed(filepath.Join(from, dir))
		if i == 0 {
			m.add(root, files)
		}
		for name, text := range files {
			writeNew(filepath.Join(to, dir, name), text)
		}
		removeOthers(filepath.Join(to, dir), files)
	}
}

// changed returns the files of a folder with the changes, by name.
func (m *module) changed(folder string) map[string][]byte {
	files := map[string][]byte{}
	for _, name := range must.Have(filepath.Glob(filepath.Join(folder, "*.go"))) {
		if base := filepath.Base(name); !strings.HasSuffix(base, "_test.go") {
			text := must.Have(os.ReadFile(name))
			for _, edits := range m.changes {
				changed, err := replaceOnce(text, edits[base])
				must.Wrap(err, "%s", name)
				text = changed
			}
			files[base] = text
		}
	}
	return files
}

// add adds the files that the module does not have by itself, and those that are replaced, to those of its first folder.
func (m *module) add(root string, files map[string][]byte) {
	for name, text := range m.files {
		files[name] = []byte(text)
	}
	for name, s := range m.sources {
		files[name] = must.Have(replaceOnce(must.Have(os.ReadFile(filepath.Join(root, s.file))), [][2]string{{s.clause, s.newClause}}))
	}
}

// removeOthers removes files that only an earlier build has copied.
func removeOthers(dir string, files map[string][]byte) {
	for _, name := range must.Have(filepath.Glob(filepath.Join(dir, "*.go"))) {
		if files[filepath.Base(name)] == nil {
			must.Do(os.Remove(name))
		}
	}
}

// replaceOnce replaces texts that occur exactly once. It fails for a version of the file with other texts.
func replaceOnce(text []byte, pairs [][2]string) ([]byte, error) {
	for _, p := range pairs {
		if n := bytes.Count(text, []byte(p[0])); n != 1 {
			return nil, fmt.Errorf("%q occurs %d times, not once", p[0], n)
		}
		text = bytes.Replace(text, []byte(p[0]), []byte(p[1]), 1)
	}
	return text, nil
}

// writeNew writes a file unless it has that content already. Another build may be reading it, so the file is never half
// written.
func writeNew(name string, content []byte) {
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, content) {
		return
	}
	must.Do(os.MkdirAll(filepath.Dir(name), 0o755))
	draft := fmt.Sprintf("%s.%d", name, os.Getpid())
	must.Do(os.WriteFile(draft, content, 0o644))
	must.Do(os.Rename(draft, name))
}

// modfileWith copies the project's go.mod and go.sum into dir and adds a directive.
func modfileWith(root, dir, directive string) string {
	for _, name := range []string{"go.mod", "go.sum"} {
		text := must.Have(os.ReadFile(filepath.Join(root, name)))
		if name == "go.mod" {
			text = append(bytes.TrimRight(text, "\n"), directive...)
		}
		must.Do(os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	return filepath.Join(dir, "go.mod")
}
