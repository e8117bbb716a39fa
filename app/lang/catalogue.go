package lang

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/scenario"
)

// Message is the key of a text in a catalogue.
type Message string

// Lists are the Chinese of the playground, which the browser loads with the texts of the scenarios, so that it is no part of the program.
var Lists = []string{MessagesFile, EngineFile}

// Files with Chinese: of the messages, and of the static pages.
const (
	MessagesFile = "messages.zh.txt"
	pagesFile    = "pages.zh.txt"
)

//go:embed messages.txt
var messagesList string

//go:embed pages.txt
var pagesList string

// Messages is the catalogue of the playground: all texts of the page itself, in each of its languages, including labels for
// screen readers and the words of scripts (scriptWords). In the browser it has Chinese once somebody reads it.
//
// Text from Kubernetes stays English in every language, because people search for it in those words: events, the output
// of kubectl, errors of the API server, conditions with their reasons, the names of kinds and fields, also where they are cut
// to fit a strip. The engine's errors about a text or a link stay English, too, because each quotes it. The engine's records,
// explanations, judgements and diagnoses are in a list of their own (Lang.Engine). The texts of a lesson are in its
// scenario. Chinese has the words of the lessons.
var Messages, hasChinese = readMessages()

// readMessages reads the catalogue, with Chinese if its list is there.
func readMessages() (all map[Message]scenario.Text, chinese bool) {
	list := List(MessagesFile)
	return read(messagesList, list), list != ""
}

// pageMessages is the catalogue of the static pages. The program never calls it, so the linker leaves its text out.
var pageMessages = sync.OnceValue(func() map[Message]scenario.Text { return read(pagesList, List(pagesFile)) })

// read reads a catalogue.
func read(english, chinese string) map[Message]scenario.Text {
	all := map[Message]scenario.Text{}
	for key, text := range entries(english) {
		all[key] = scenario.Text{En: text}
	}
	for key, text := range entries(chinese) {
		all[key] = scenario.Text{En: all[key].En, Zh: text}
	}
	return all
}

// entries are the texts of a list by their keys: each line has one.
func entries(list string) map[Message]string {
	all := map[Message]string{}
	for line := range strings.SplitSeq(list, "\n") {
		if key, text, ok := strings.Cut(line, ": "); ok && key[0] != '#' {
			all[Message(key)] = unquoted(text)
		}
	}
	return all
}

// unquoted returns a text without the quotes that keep a blank at its edge.
func unquoted(text string) string {
	if inner, ok := strings.CutPrefix(text, `"`); ok && strings.HasSuffix(inner, `"`) {
		return inner[:len(inner)-1]
	}
	return text
}

// PageText is a message of the static pages, in the language of a tag.
func PageText(tag, key string, args ...any) string {
	catalogue := Messages
	if !strings.HasPrefix(key, "chapter-") { // which the playground lists, too
		catalogue = pageMessages()
	}
	return say(catalogue, Of(tag), Message(key), args)
}
