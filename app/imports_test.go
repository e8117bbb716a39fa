package app

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages of the page, each above those it may import.
var rooms = []string{"", "palette", "header", "document", "editor", "notice", "presenter", "share", "lesson", "start", "help", "panes", "details", "numbers", "stage", "parts", "browser", "drafts", "session", "gallery", "terminal", "picture", "chart", "command", "lang", "cursor", "act", "version"}

// plainRooms do not import go-app, so a test, a poster or another page can use them.
var plainRooms = []string{"drafts", "session", "gallery", "terminal", "picture", "chart", "command", "lang", "cursor", "act", "version"}

// TestImportsPointOneWay: a room imports only those below it, and the plain ones neither go-app nor anything of the browser.
func TestImportsPointOneWay(t *testing.T) {
	const ours, goApp = "github.com/rollplay/rollplay/app/", "github.com/maxence-charriere/go-app/"
	for i, room := range rooms {
		files, err := filepath.Glob(filepath.Join(".", room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%q has %d files, %v", room, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range parsed.Imports {
				path := strings.Trim(spec.Path.Value, `"`)
				if below, ok := strings.CutPrefix(path, ours); ok && !slices.Contains(rooms[i+1:], below) {
					t.Errorf("%s imports %s, which is not below it", file, below)
				}
				if strings.HasPrefix(path, goApp) && slices.Contains(plainRooms, room) {
					t.Errorf("%s imports go-app", file)
				}
			}
		}
	}
}
