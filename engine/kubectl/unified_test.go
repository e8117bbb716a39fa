package kubectl

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnified has what diff -u prints of the same texts.
func TestUnified(t *testing.T) {
	ten := numbered("a", 10)
	for _, tt := range []struct{ old, now, want string }{
		{ten, ten, ""},
		{"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b"},
		{"a\n", "", "@@ -1 +0,0 @@\n-a"},
		{"x\nb\n", "x\nb\nb\n", "@@ -1,2 +1,3 @@\n x\n b\n+b"},
		{ten, strings.Replace(ten, "a5\n", "b\n", 1), "@@ -3,7 +3,7 @@\n a2\n a3\n a4\n-a5\n+b\n a6\n a7\n a8"},
		{ten, "b\n" + ten + "c\n", "@@ -1,3 +1,4 @@\n+b\n a0\n a1\n a2\n@@ -8,3 +9,4 @@\n a7\n a8\n a9\n+c"},
	} {
		if got := unified(tt.old, tt.now); got != tt.want {
			t.Errorf("%q to %q:\n%s\nwant\n%s", tt.old, tt.now, got, tt.want)
		}
	}
}

// TestUnifiedLarge: texts of a hundred thousand lines, of which a table of all pairs would take gigabytes.
func TestUnifiedLarge(t *testing.T) {
	const n = 100_000
	head, tail := numbered("head", n), numbered("tail", n)
	if got, want := unified(head+"old\n"+tail, head+"new\n"+tail), "@@ -99998,7 +99998,7 @@\n head99997\n head99998\n head99999\n-old\n+new\n tail0\n tail1\n tail2"; got != want {
		t.Errorf("one line: got\n%.500s", got)
	}
	ends := unified("old\n"+head+"old\n", "new\n"+head+"new\n")
	if want := n + 2; strings.Count(ends, "\n-")+strings.Count(ends, "\n+") != 2*want {
		t.Errorf("both ends: %d lines removed and %d added, want %d of each", strings.Count(ends, "\n-"), strings.Count(ends, "\n+"), want)
	}
	other := unified(head, tail)
	if want := fmt.Sprintf("@@ -1,%d +1,%d @@\n-head0\n", n, n); !strings.HasPrefix(other, want) || !strings.HasSuffix(other, "\n+tail99999") {
		t.Errorf("another text: got\n%.200s", other)
	}
}

// numbered returns lines of a word and a number.
func numbered(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d\n", word, i)
	}
	return b.String()
}
