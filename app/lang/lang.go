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
	"fmt"
	"strings"

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
	switch l := Lang(strings.ToLower(base)); l {
	case English, Chinese:
		return l
	}
	return ""
}

// Pick is the language of a tag, English if the page does not have it.
func Pick(tag string) Lang {
	return cmp.Or(Of(tag), English)
}

// Say is a message in the language, with its numbers and names filled in.
func (l Lang) Say(key Message, args ...any) string {
	if l == Chinese && !hasChinese && List(MessagesFile) != "" {
		Messages, hasChinese = readMessages()
	}
	return say(Messages, l, key, args)
}

// Count is a message with a number; the first key is for a single thing.
func (l Lang) Count(n int, one, many Message) string {
	if n == 1 {
		return l.Say(one)
	}
	return l.Say(many, n)
}

// In is a text of a scenario in the language.
func (l Lang) In(t scenario.Text) string { return t.In(string(l)) }

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
