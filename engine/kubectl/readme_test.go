package kubectl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// Where the list of commands stands in the README.
const (
	readme    = "../../README.md"
	listBegin = "<!-- commands: go test ./engine/kubectl -run Readme -update writes this list -->\n"
	listEnd   = "<!-- end of commands -->\n"
)

// TestReadmeListsTheCommands: the README lists what is modelled of kubectl, from the table that the parser reads.
func TestReadmeListsTheCommands(t *testing.T) {
	b, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	before, rest, ok := strings.Cut(text, listBegin)
	_, after, found := strings.Cut(rest, listEnd)
	if !ok || !found {
		t.Fatalf("%s has no place for the list of commands", readme)
	}
	want := before + listBegin + commandList() + listEnd + after
	if want == text {
		return
	}
	if !*update {
		t.Fatalf("the list of commands in %s is out of date", readme)
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commandList is a table of all commands with their options.
func commandList() string {
	var b strings.Builder
	b.WriteString("\n| command | what it does here | options |\n|---|---|---|\n")
	for _, v := range line.Modelled() {
		var flags []string
		for _, f := range v.Flags {
			flags = append(flags, "`"+f.Name+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell(v.Use), cell(v.Brief), cell(strings.Join(flags, " ")))
	}
	b.WriteString("\n")
	return b.String()
}

// cell escapes what would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// TestEveryVerbHasATranscript: each command of the table is typed in some transcript.
func TestEveryVerbHasATranscript(t *testing.T) {
	var all strings.Builder
	for _, pattern := range []string{"testdata/*.txtar", "testdata/transcripts/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no transcripts in %s: %v", pattern, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
	}
	for _, v := range line.Modelled() {
		if line := "kubectl " + v.Name; !strings.Contains(all.String(), line+" ") && !strings.Contains(all.String(), line+"\n") {
			t.Errorf("no transcript has kubectl %s", v.Name)
		}
	}
}
