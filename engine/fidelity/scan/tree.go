package scan

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/fidelity"
)

// Tree is what was found in the project.
type Tree struct {
	Code, Tests     map[string][]string // by rule: the files that cite it, in the order of their names
	Simplifications []fidelity.Simplification
	Unknown         []string // citations of rules that do not exist: "file: ID"
}

// elsewhere are the folders below engine that do not count: they compare the engine with upstream, or are this one.
var elsewhere = map[string]bool{"engine/oracle/conformance": true, "engine/fidelity": true}

// Read looks through the folder engine of a project for citations of the rules.
func Read(root fs.FS, rules []string) (*Tree, error) {
	t := &Tree{Code: map[string][]string{}, Tests: map[string][]string{}}
	known := newList(rules)
	err := fs.WalkDir(root, "engine", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && elsewhere[name]:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		class := classOf(name)
		if class == other {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		t.take(known, name, class, text)
		return nil
	})
	return t, err
}

// fileClass says what a file is for.
type fileClass uint8

const (
	other fileClass = iota
	code
	comparison // code that is no part of the simulator
	test
	trace // a test whose prose cites rules, not its records
)

func classOf(name string) fileClass {
	ext := path.Ext(name)
	switch {
	case strings.HasSuffix(name, "_test.go"):
		return test
	case (ext == ".txtar" || ext == ".txt") && strings.Contains(name, "/testdata/"):
		return trace
	case ext != ".go" || strings.Contains(name, "/testdata/"):
		return other
	case strings.HasPrefix(name, "engine/oracle/recorded/"):
		return comparison
	}
	return code
}

// take notes what a file cites.
func (t *Tree) take(known *list, name string, class fileClass, text []byte) {
	if class == trace {
		text = prose(name, text)
	}
	ids, unknown := known.cited(string(text))
	for _, id := range unknown {
		t.Unknown = append(t.Unknown, fmt.Sprintf("%s: %s", name, id))
	}
	if class == code {
		t.Simplifications = append(t.Simplifications, simplifications(name, text)...)
	}
	into := map[fileClass]map[string][]string{code: t.Code, test: t.Tests, trace: t.Tests}[class]
	if into == nil {
		return
	}
	for _, id := range ids {
		into[id] = append(into[id], name)
	}
}

// record is a line of a trace: it cites a rule in every other line, which says that it was applied, not that it is tested.
var record = regexp.MustCompile(`^ *[0-9]+\.[0-9]{3} `)

// prose returns what somebody wrote in a golden trace: the comment of an archive, or what stands before the first record.
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
