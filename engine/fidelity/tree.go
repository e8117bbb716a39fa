package fidelity

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// tree is what a scan finds in the project.
type tree struct {
	code, tests     map[string][]string // by rule: the files that cite it, in the order of their names
	simplifications []Simplification
	unknown         []string // citations that name no rule: "file: ID"
}

// elsewhere lists the folders below engine that do not count: they compare the engine with upstream, or are this one.
var elsewhere = map[string]bool{"engine/oracle/conformance": true, "engine/fidelity": true}

// scan searches the folder engine of a project for citations of the rules.
func scan(root fs.FS, rules []string) (*tree, error) {
	t := &tree{code: map[string][]string{}, tests: map[string][]string{}}
	err := fs.WalkDir(root, "engine", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && elsewhere[name]:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			t.take(rules, name, text)
		}
		return err
	})
	return t, err
}

// take notes what a file cites. A trace is a test whose prose cites rules; its records do not count.
func (t *tree) take(known list, name string, text []byte) {
	into, ext, data := t.tests, path.Ext(name), strings.Contains(name, "/testdata/")
	switch {
	case strings.HasSuffix(name, "_test.go"):
	case data && (ext == ".txtar" || ext == ".txt"):
		text = prose(name, text)
	case data || ext != ".go":
		return
	default:
		into = t.code
		t.simplifications = append(t.simplifications, simplifications(name, text)...)
	}
	ids, unknown := known.cited(string(text))
	for _, id := range unknown {
		t.unknown = append(t.unknown, fmt.Sprintf("%s: %s", name, id))
	}
	for _, id := range ids {
		into[id] = append(into[id], name)
	}
}

// record matches a line of a trace. Every other line of a trace cites a rule, which says that the rule was applied, not that
// it is tested.
var record = regexp.MustCompile(`^ *[0-9]+\.[0-9]{3} `)

// prose returns what a person wrote in a golden trace: the comment of an archive, or the lines before the first record.
func prose(name string, text []byte) []byte {
	if path.Ext(name) == ".txtar" {
		return txtar.Parse(text).Comment
	}
	var out [][]byte
	for line := range bytes.Lines(text) {
		if record.Match(line) {
			break
		}
		out = append(out, line)
	}
	return bytes.Join(out, nil)
}
