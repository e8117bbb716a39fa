package fidelity

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// report reads the real tree.
func report(t *testing.T) *Report {
	t.Helper()
	r, err := Read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEveryRule: each rule is implemented and tested, or simplified for a reason, or open for a reason; a rule that is done
// must not be called open.
func TestEveryRule(t *testing.T) {
	for r := range report(t).All() {
		open := r.Note == OpenRule
		switch {
		case open && r.Status == Done:
			t.Errorf("%s is done, and rules.txt calls it open: %s", r.ID, r.Reason)
		case open:
			t.Logf("%s is open (%s): %s", r.ID, r.Status, r.Reason)
		case r.Status != Done && r.Status != Simplified:
			t.Errorf("%s is %s: %s (code %q, tests %q)", r.ID, r.Status, r.Title, r.Code, r.Tests)
		}
	}
}

// TestReport: the texts can be read, and say what this project is for.
func TestReport(t *testing.T) {
	f := report(t)
	if f.Upstream != "v1.37.1" || len(f.Results) < 2 || len(f.Versions) < 2 || len(f.Simplifications) < 5 {
		t.Errorf("upstream %s, results %q, versions %q, %d simplifications", f.Upstream, f.Results, f.Versions, len(f.Simplifications))
	}
	rules := map[string]*Rule{}
	for r := range f.All() {
		rules[r.ID] = r
	}
	for id, want := range map[string]Status{"D-52": Done, "D-50a": Done, "A-10": Done, "H-9": Simplified, "H-11": Done} {
		if r := rules[id]; r == nil || r.Status != want {
			t.Errorf("%s: %+v, want it to be %s", id, r, want)
		}
	}
	if r := rules["D-52"]; r.Title == "" || len(r.Code) == 0 || len(r.Tests) == 0 || !strings.HasPrefix(r.Code[0], "engine/") {
		t.Errorf("D-52 is %+v", r)
	}
}

// TestStatus: what a rule is judged by.
func TestStatus(t *testing.T) {
	const rules = `upstream v1
section One
A-1 done
A-2 untested
A-3 only tested
A-4 nothing
A-5 less
	simplified: because
A-6 from done
	follows: A-1
A-7 from done, untested
	follows: A-1, A-5
A-8 from nothing
	follows: A-1, A-4
A-9 open
	open: later
`
	files := fstest.MapFS{
		"engine/a.go":      {Data: []byte("// F does (A-1) and A-2.\n//\n// Simplified: because it is\nfunc F() {}")},
		"engine/a_test.go": {Data: []byte("// A-1 A-3 A-6 A-8")},
	}
	_, sections, err := parseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	f := &Report{Sections: sections, Results: lines("# a comment\nfine\n")}
	if err := f.scan(files); err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := range f.All() {
		got = append(got, r.ID[2:]+" "+r.Status.String())
	}
	want := "1 implemented and tested, 2 implemented, no test cites it, 3 not implemented, 4 not implemented, 5 simplified, " +
		"6 implemented and tested, 7 implemented, no test cites it, 8 not implemented, 9 not implemented"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if f.Sections[0].Count(Missing) != 4 || len(f.Results) != 1 || f.Simplifications[0] != (Simplification{"engine/a.go", "F", "because it is"}) {
		t.Errorf("got %+v", f)
	}
}

// TestParseErrors: an error names the line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"X-1 a rule":                             "rules.txt:1: expected a new ID and a title",
		"section A\nX-1":                         "rules.txt:2: expected a new ID and a title",
		"section A\nX-1 a\nX-1 b":                "rules.txt:3: expected a new ID and a title",
		"section A\n\tchoice: x":                 "rules.txt:2: expected a word, a colon and a reason",
		"section A\nX-1 a\n\tchoice x":           "rules.txt:3: expected a word, a colon and a reason",
		"section A\nX-1 a\n\twhim: x":            "rules.txt:3: expected a word, a colon and a reason",
		"section A\nX-1 a\n\tfollows: X-2":       "rules.txt: X-1 follows X-2, which is not a rule",
		"section A\nX-1 a\n\topen: x\n\topen: y": "rules.txt:4: expected a word, a colon and a reason",
	} {
		if _, _, err := parseRules(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestUnknownCitation: a citation that names no rule is an error that says where it stands.
func TestUnknownCitation(t *testing.T) {
	_, err := Read(fstest.MapFS{"engine/a.go": {Data: []byte("// D-52 and D-999")}})
	if want := "these citations name no rule:\nengine/a.go: D-999"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestWhoGivesUp: H-6 names the controllers whose loops give up on a key, and no others.
func TestWhoGivesUp(t *testing.T) {
	files, err := filepath.Glob("../controllers/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	limited := regexp.MustCompile(`NewLoop\([^,]+, [^,]+, [^0,][^,]*,`)
	var found []string
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && limited.Match(b) {
			found = append(found, filepath.Base(filepath.Dir(name)))
		}
	}
	for r := range report(t).All() {
		if r.ID != "H-6" {
			continue
		}
		var named []string
		for _, folder := range []string{"autoscaler", "daemon", "deployment", "disruption", "endpointslice", "replicaset", "statefulset"} {
			if strings.Contains(strings.ToLower(r.Title), folder) {
				named = append(named, folder)
			}
		}
		if !slices.Equal(found, named) {
			t.Errorf("H-6 names %v, but the loops of %v give up: %s", named, found, r.Title)
		}
	}
}
