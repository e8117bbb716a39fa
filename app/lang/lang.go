// Package lang is the catalogue: all texts of the page itself, in a list for each of its languages (messages.txt, messages.zh.txt, and pages.txt,
// pages.zh.txt for the static pages), including those for screen readers. Tests find a message without a translation, a mismatched placeholder,
// an unused message, and English text left on the Chinese page. golang.org/x/text would bring its own parser and tables.
//
// The engine is English only, because command, traces and recordings keep its texts. Its sentences come from a fixed number of templates:
// engine.zh.txt lists them with their Chinese, and Lang.Engine recognizes a sentence by its template. Carrying template and arguments in each
// record would have cost memory in every run and an edit in some 200 places. A test reads the engine's source and fails for a template
// without Chinese. All Chinese lists come with the texts of the scenarios, so the program does not contain them.
//
// Scripts get their words when the language is chosen (scripts.go). Messages shown before a switch keep their language. A language
// chosen by the user or by a link goes into links; otherwise the browser decides.
package lang

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Lang is a language of the page: the tag that links and the document's lang attribute have.
type Lang string

// The languages of the page.
const (
	English Lang = "en"
	Chinese Lang = "zh" // simplified
)

// Tags are the tags of the page's languages. Texts without a translation are in the first one.
func Tags() []string { return []string{string(English), string(Chinese)} }

// Names are the languages in their own words, short enough for a button.
var Names = map[Lang]string{English: "EN", Chinese: "中文"}

// Other is the language that the switch leads to.
func (l Lang) Other() Lang {
	if l == Chinese {
		return English
	}
	return Chinese
}

// Of is the language of a tag, empty if the page does not have it: zh-CN is Chinese.
func Of(tag string) Lang {
	base, _, _ := strings.Cut(tag, "-")
	if l := Lang(strings.ToLower(base)); l == English || l == Chinese {
		return l
	}
	return ""
}

// Pick is the language of a tag, English if the page does not have it.
func Pick(tag string) Lang { return cmp.Or(Of(tag), English) }

// Say is a message in the language, with its numbers and names filled in.
func (l Lang) Say(key Message, args ...any) string {
	if l == Chinese && !hasChinese && List(MessagesFile) != "" {
		Messages, hasChinese = readMessages()
	}
	return say(Messages, l, key, args)
}

// Count is a message with a number before its arguments; the first key is for a single thing, without the number.
func (l Lang) Count(n int, one, many Message, args ...any) string {
	if n == 1 {
		return l.Say(one, args...)
	}
	return l.Say(many, append([]any{n}, args...)...)
}

// In is a text of a scenario in the language.
func (l Lang) In(t scenario.Text) string { return t.In(string(l)) }

// Stop separates two sentences.
func (l Lang) Stop() string {
	if l == Chinese {
		return "。"
	}
	return ". "
}

// The pages of Kubernetes' documentation that are translated: nearly all below these two folders.
var translatedDocs = [...]string{"https://kubernetes.io/docs/concepts/", "https://kubernetes.io/docs/tasks/"}

// Docs returns the address of a page in the language, if it is a page of Kubernetes' documentation that has translations. They have
// the anchors of the English page.
func (l Lang) Docs(address string) string {
	for _, folder := range translatedDocs {
		if l == Chinese && strings.HasPrefix(address, folder) {
			return strings.Replace(address, "/docs/", "/zh-cn/docs/", 1)
		}
	}
	return address
}

// say looks up a message. A key that is not in the catalogue is shown itself, so that a test finds it.
func say(catalogue map[Message]scenario.Text, l Lang, key Message, args []any) string {
	t, ok := catalogue[key]
	if !ok {
		return string(key)
	}
	if len(args) == 0 {
		return l.In(t)
	}
	return fmt.Sprintf(l.In(t), args...)
}

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
	all, translated := map[Message]scenario.Text{}, entries(chinese)
	for key, text := range entries(english) {
		all[key] = scenario.Text{En: text, Zh: translated[key]}
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

// scriptWords are the messages that scripts write on the page (web/src/words.js): they ask for them by these keys.
var scriptWords = [...]Message{
	"and-more", "bound-drag", "bound-least", "bound-most", "command-mark", "editor-label", "time-of",
	"cm-find", "cm-replace-with", "cm-next", "cm-previous", "cm-all", "cm-case", "cm-regexp", "cm-word", "cm-replace", "cm-replace-all",
	"cm-close", "cm-match", "cm-on-line", "cm-replaced", "cm-replaced-line", "cm-goto", "cm-go", "cm-problems", "cm-no-problems",
	"cm-completions", "cm-deleted",
	"part-missing", "part-again",
	"no-node", "pods-none", "tile-rank", "pod-delete", "pod-crash", "pod-fail-readiness", "pod-restore-readiness", "pod-why",
	"terminal-output", "terminal-input", "terminal-stop", "stop-means", "terminal-tab", "terminal-up", "copy", "copy-done", "copy-means",
	"terminal-clear", "clear-means", "terminal-above", "prompt-runs", "one-line-waits", "n-lines-wait",
}

// ScriptWords are those messages in the language, with the two names of each state of a pod.
func (l Lang) ScriptWords() map[Message]string {
	keys := scriptWords[:]
	for _, state := range PodStates() {
		keys = append(keys, Message("state-"+state), Message("is-"+state))
	}
	words := make(map[Message]string, len(keys))
	for _, key := range keys {
		words[key] = l.Say(key)
	}
	return words
}

// PodWords returns the meaning of each state. Callers that draw many pods call it once for all of them.
func (l Lang) PodWords() (words [past.PodStates]string) {
	for i := range words {
		words[i] = l.Say(Message("is-" + past.PodState(i).String()))
	}
	return words
}

// PodStates returns the names of the states by their numbers, for JavaScript: they are in data-state, and in the keys of their
// messages.
func PodStates() []string {
	all := make([]string, past.PodStates)
	for i := range all {
		all[i] = past.PodState(i).String()
	}
	return all
}
