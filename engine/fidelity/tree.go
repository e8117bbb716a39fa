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

// elsewhere lists the folders below engine that do not count: they compare the engine with upstream, or are this one.
var elsewhere = map[string]bool{"engine/oracle/conformance": true, "engine/fidelity": true}

// scan searches the folder engine of a project for citations of the rules, and judges each rule by them.
func (r *Report) scan(root fs.FS) error {
	rules := map[string]*Rule{}
	var ids list
	for rule := range r.All() {
		rules[rule.ID], ids = rule, append(ids, rule.ID)
	}
	var unknown []string // "file: ID"
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
		code, text := r.read(name, text)
		cited, others := ids.cited(string(text))
		for _, id := range others {
			unknown = append(unknown, fmt.Sprintf("%s: %s", name, id))
		}
		for _, id := range cited {
			files := &rules[id].Tests
			if code {
				files = &rules[id].Code
			}
			*files = append(*files, name)
		}
		return err
	})
	for rule := range r.All() {
		rule.Status = statusOf(rule, rules)
	}
	if err == nil && len(unknown) > 0 {
		err = fmt.Errorf("these citations name no rule:\n%s", strings.Join(unknown, "\n"))
	}
	return err
}

// read returns the part of a file that may cite rules, and whether it is code or a test. A trace is a test whose prose cites rules; its
// records do not count.
func (r *Report) read(name string, text []byte) (code bool, cites []byte) {
	ext, data := path.Ext(name), strings.Contains(name, "/testdata/")
	switch {
	case strings.HasSuffix(name, "_test.go"):
		return false, text
	case data && (ext == ".txtar" || ext == ".txt"):
		return false, prose(name, text)
	case data || ext != ".go":
		return false, nil
	}
	r.Simplifications = append(r.Simplifications, simplifications(name, text)...)
	return true, text
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
