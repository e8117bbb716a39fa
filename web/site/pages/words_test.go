package pages

import (
	"slices"
	"testing"
)

// TestParagraphs: lines are joined, with a space only where the language has one.
func TestParagraphs(t *testing.T) {
	got := paragraphs("one\ntwo  three\n\n\n镜像换了。\n新的 ReplicaSet\n有一个 Pod\n")
	if want := []string{"one two three", "镜像换了。新的 ReplicaSet 有一个 Pod"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
