package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestCatalogue: each message is there in all languages, and holds the same places to fill in, in the same order.
func TestCatalogue(t *testing.T) {
	verb := regexp.MustCompile(`%[%a-z]`)
	chineseLetter := regexp.MustCompile(`\p{Han}`)
	same := map[Message]bool{"tab-terminal": true, "tab-pods": true, "other-language": true, "chip-dirty": true, "n-of": true} // names, signs
	marks := regexp.MustCompile(`^[\p{P}\s]+$`)
	for _, catalogue := range []map[Message]scenario.Text{Messages, pageMessages()} {
		for key, text := range catalogue {
			if strings.TrimSpace(text.En) == "" || text.Zh == "" {
				t.Errorf("%s lacks a language: %+v", key, text)
			}
			if en, zh := verb.FindAllString(text.En, -1), verb.FindAllString(text.Zh, -1); !slices.Equal(en, zh) {
				t.Errorf("%s: %q has the places %q, %q has %q", key, text.En, en, text.Zh, zh)
			}
			if !same[key] && !marks.MatchString(text.Zh) && !chineseLetter.MatchString(text.Zh) {
				t.Errorf("%s: %q is not Chinese", key, text.Zh)
			}
			if chineseLetter.MatchString(text.En) && !same[key] {
				t.Errorf("%s: %q is not English", key, text.En)
			}
		}
	}
}

// TestNoMessageIsTwice: every line of a list is a comment, or a key with its text, and the lists of a catalogue have its keys in one order.
func TestNoMessageIsTwice(t *testing.T) {
	entry := regexp.MustCompile(`^([a-z0-9-]+): .+$`)
	keysOf := func(list string) (keys []string) {
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			m := entry.FindStringSubmatch(line)
			switch {
			case m == nil && line != "" && line[0] != '#':
				t.Errorf("%q is not an entry", line)
			case m != nil && slices.Contains(keys, m[1]):
				t.Errorf("%s comes twice", m[1])
			case m != nil:
				keys = append(keys, m[1])
			}
		}
		return keys
	}
	for english, chinese := range map[string]string{messagesList: MessagesFile, pagesList: pagesFile} {
		if en, zh := keysOf(english), keysOf(List(chinese)); !slices.Equal(en, zh) {
			t.Errorf("%s has other keys than the English, or another order:\n%v\n%v", chinese, zh, en)
		}
	}
}

// TestMessagesAreKnownAndUsed: what the page asks for is in the catalogue, and nothing else is.
func TestMessagesAreKnownAndUsed(t *testing.T) {
	asked, all := literals(t)
	keys, err := os.ReadFile("../help/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	var helped []string
	for row := range strings.Lines(string(keys)) {
		_, does, _ := strings.Cut(strings.TrimSpace(row), ": ")
		helped, asked = append(helped, does), append(asked, "key-"+does)
	}
	for _, key := range asked {
		if _, ok := Messages[Message(key)]; !ok {
			t.Errorf("the page asks for the message %q, which is not there", key)
		}
	}
	for key := range Messages {
		if !all[string(key)] && !made(key, helped) {
			t.Errorf("nobody asks for the message %q", key)
		}
	}
	for _, l := range Tags() {
		for key, text := range Lang(l).ScriptWords() {
			if Messages[key].In(l) != text {
				t.Errorf("scripts get %q for %s", text, key)
			}
		}
	}
}

// made says that a key is put together: the name of a theme, of a step, of what a key of the keyboard does, or of a pod's state behind a word.
func made(key Message, helped []string) bool {
	if key == "ready" || key == "updated" { // counts of a goal
		return true
	}
	for _, state := range PodStates() {
		if key == Message("state-"+state) || key == Message("is-"+state) {
			return true
		}
	}
	if does, ok := strings.CutPrefix(string(key), "key-"); ok && slices.Contains(helped, does) {
		return true
	}
	return strings.HasPrefix(string(key), "theme-") || strings.HasPrefix(string(key), "unit-") || strings.HasPrefix(string(key), "limit-") || strings.HasPrefix(string(key), "chapter-")
}

// literals reads the source of the page: the keys that say is called with, and all strings.
func literals(t *testing.T) (asked []string, all map[string]bool) {
	t.Helper()
	root, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]bool{}
	for _, file := range append(root, below...) {
		if name := filepath.Base(file); strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if key, ok := literal(n); ok {
				all[key] = true
			}
			if call, ok := n.(*ast.CallExpr); ok {
				for _, arg := range keysIn(call) {
					if key, ok := literal(arg); ok {
						asked = append(asked, key)
					}
				}
			}
			return true
		})
	}
	if len(asked) < 50 {
		t.Fatalf("only %d messages are asked for: this test has become blind", len(asked))
	}
	return asked, all
}

func literal(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// keysIn are the arguments of a call that are keys of messages: the first one of Say, the last two of Count and recordCount.
func keysIn(call *ast.CallExpr) []ast.Expr {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		if ofLang(f.X) {
			name = f.Sel.Name
		}
	}
	switch n := len(call.Args); {
	case (name == "Say" || name == "say") && n > 0:
		return call.Args[:1]
	case (name == "Count" || name == "recordCount") && n > 2:
		return call.Args[n-2:]
	}
	return nil
}

// ofLang says that what a method is called of is a language: the Say of a session takes a sentence.
func ofLang(from ast.Expr) bool {
	switch from := from.(type) {
	case *ast.Ident:
		return from.Name == "l" || from.Name == "in"
	case *ast.SelectorExpr:
		return strings.EqualFold(from.Sel.Name, "lang")
	case *ast.CallExpr: // of a session
		return ofLang(from.Fun)
	}
	return false
}

// TestScriptsKnowTheirWords: what the scripts of the page ask for is what they get, and they use all of it.
func TestScriptsKnowTheirWords(t *testing.T) {
	files, err := filepath.Glob("../../web/src/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	var source strings.Builder
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, ".test.js") })
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	for _, m := range regexp.MustCompile(`\bsay\("([a-z-]+)"`).FindAllStringSubmatch(source.String(), -1) {
		if !slices.Contains(scriptWords[:], Message(m[1])) {
			t.Errorf("a script asks for the message %q, which it does not get", m[1])
		}
	}
	for _, key := range scriptWords {
		if !strings.Contains(source.String(), strconv.Quote(string(key))) {
			t.Errorf("no script asks for the message %q", key)
		}
	}
}

// TestPageMessagesAreUsed: the pages that are only read ask for all that their catalogue has.
func TestPageMessagesAreUsed(t *testing.T) {
	var source strings.Builder
	for _, pattern := range []string{"../../web/shell/*.html", "../../web/site/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
	}
	for key := range pageMessages() {
		if !strings.Contains(source.String(), strconv.Quote(string(key))) {
			t.Errorf("nobody asks for the message %q", key)
		}
	}
	for _, m := range regexp.MustCompile(`\.Say "([a-z-]+)"`).FindAllStringSubmatch(source.String(), -1) {
		if _, ok := pageMessages()[Message(m[1])]; !ok {
			t.Errorf("a page asks for the message %q, which is not there", m[1])
		}
	}
}

func TestLangOf(t *testing.T) {
	for tag, want := range map[string]Lang{"": English, "en": English, "en-GB": English, "zh": Chinese, "zh-CN": Chinese, "ZH-hans": Chinese, "de": English, "zhx": English} {
		if got := Pick(tag); got != want {
			t.Errorf("%q: got %q, want %q", tag, got, want)
		}
	}
	if got := Chinese.Say("lesson-count", 2, 5); got != "第 2 段，共 5 段" {
		t.Errorf("got %q", got)
	}
}

func TestEachPodStateHasItsWords(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Tags() {
		words := Lang(l).ScriptWords()
		for i, name := range PodStates() {
			label, means := words[Message("state-"+name)], words[Message("is-"+name)]
			if label == "" || means == "" || means != Lang(l).PodWords()[i] || seen[l+name] || seen[l+means] {
				t.Errorf("state %s is called %q, and means %q", name, label, means)
			}
			seen[l+name], seen[l+means] = true, true
		}
	}
}
