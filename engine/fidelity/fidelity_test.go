package fidelity

import (
	"strings"
	"testing"
)

// TestReport: the embedded texts can be read, and say what this project is for.
func TestReport(t *testing.T) {
	f := Report()
	if f.Upstream != "v1.37.1" || len(f.Results) < 2 || len(f.Simplifications) < 5 {
		t.Errorf("upstream %s, results %q, %d simplifications", f.Upstream, f.Results, len(f.Simplifications))
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
X-1 done
X-2 untested
X-3 only tested
X-4 nothing
X-5 less
	simplified: because
X-6 from done
	follows: X-1
X-7 from done, untested
	follows: X-1, X-5
X-8 from nothing
	follows: X-1, X-4
X-9 open
	open: later
`
	const inventory = `file a.go
file a_test.go
rule X-1 0 1
rule X-2 0 -
rule X-3 - 1
rule X-6 - 1
rule X-8 - 1
simplified 0 F because it is
`
	f, err := NewReport(rules, "# a comment\nfine\n", inventory)
	if err != nil {
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
	if f.Sections[0].Count(Missing) != 4 || len(f.Results) != 1 || f.Simplifications[0] != (Simplification{"a.go", "F", "because it is"}) {
		t.Errorf("got %+v", f)
	}
}

// TestParseErrors: what is wrong in a text is said with the line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"X-1 a rule":                             "rules.txt:1: expected an ID that is new and a title",
		"section A\nX-1":                         "rules.txt:2: expected an ID that is new and a title",
		"section A\nX-1 a\nX-1 b":                "rules.txt:3: expected an ID that is new and a title",
		"section A\n\tchoice: x":                 "rules.txt:2: expected a word, a colon and a reason",
		"section A\nX-1 a\n\tchoice x":           "rules.txt:3: expected a word, a colon and a reason",
		"section A\nX-1 a\n\twhim: x":            "rules.txt:3: expected a word, a colon and a reason",
		"section A\nX-1 a\n\tfollows: X-2":       "rules.txt: X-1 follows X-2, which is no rule",
		"section A\nX-1 a\n\topen: x\n\topen: y": "rules.txt:4: expected a word, a colon and a reason",
	} {
		if _, _, err := ParseRules(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for inventory, want := range map[string]string{
		"rule X-9 - -":  "inventory.txt has X-9, which is no rule",
		"rule X-1 0 -":  `inventory.txt: "rule X-1 0 -": "0" is not the number of a file`,
		"nonsense here": `inventory.txt: "nonsense here": unknown word "nonsense"`,
	} {
		if _, err := NewReport("section A\nX-1 a", "", inventory); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", inventory, err, want)
		}
	}
}
