package print

import (
	"strings"
	"testing"
	"text/tabwriter"
)

// TestReadGrid: a column is three blanks wider than its longest cell and at least six wide, and widens for what comes, not
// for what is there (K-50).
func TestReadGrid(t *testing.T) {
	var g Grid
	var got []string
	for _, rows := range [][][]string{
		{{"NAME", "UP", "AGE"}, {"a", "", "3s"}},
		{{"abcdef", "10", "4s"}},
		{{"a", "1", "5s"}},
		{{"ü", "1000", ""}},
	} {
		got = append(got, g.Lines(rows)...)
	}
	want := []string{
		"NAME   UP    AGE",
		"a            3s",
		"abcdef   10    4s",
		"a        1     5s",
		"ü        1000   ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := Cell("one\ntwo"); got != "one..." {
		t.Errorf("of several lines the first is shown, not %q", got)
	}
}

// TestReadTabs: the layout of kubectl describe is that of a tabwriter with two blanks.
func TestReadTabs(t *testing.T) {
	for _, text := range []string{"", "\n", "a\n", "a\tb\n", "a\tb\nccc\td\n", "a\tb\n\nccc\td\n", "a\tb\tc\nddd\tee\nf\tgggg\th\n",
		"Name:\tx\nLabels:\ta=b\n\tc=d\nPod Template:\n  Labels:\ta\n", "a\t\t\tb\nccc\td\te\tf\n", "a\t\nbb\t\n", "ü\tx\nab\ty\n"} {
		var b strings.Builder
		w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := Tabbed(text); got != b.String() {
			t.Errorf("%q gives\n%q, want\n%q", text, got, b.String())
		}
	}
}
