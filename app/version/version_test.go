package version

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestChangelog: the newest section of the changelog is that of the version: Unreleased during development, the number in a
// release.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`(?m)^## \[(.+?)\]`).FindStringSubmatch(string(text))
	want := Number
	if strings.HasSuffix(Number, "-dev") {
		want = "Unreleased"
	}
	if heading == nil || heading[1] != want {
		t.Errorf("the newest section is %q, want %s", heading, want)
	}
}
