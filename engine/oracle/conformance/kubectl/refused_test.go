package kubectl

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of what is refused")

// TestRefusedList: the list is what the real kubectl's tree of commands has and our table has not.
func TestRefusedList(t *testing.T) {
	want := strings.Join(unmodelled(), "\n")
	got, patterns, _ := strings.Cut(refusedText, "\n-- lines --\n")
	if *update {
		if err := os.WriteFile("refused.txt", []byte(want+"\n-- lines --\n"+patterns), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("refused.txt is not what the tables say: go test ./kubectl -run RefusedList -args -update, and read the difference")
	}
}
