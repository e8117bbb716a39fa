package app

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/scenario"
)

// lang is a language of the page: the tag that links and the document's lang attribute have.
type lang string

// The languages of the page.
const (
	english lang = "en"
	chinese lang = "zh" // simplified
)

// Langs are the tags of the languages that pages are made in; the first one is what texts are in that nobody translated.
func Langs() []string { return []string{string(english), string(chinese)} }

// langNames are what the languages call themselves, short enough for a button.
var langNames = map[lang]string{english: "EN", chinese: "中文"}

// other is the language that the switch leads to.
func (l lang) other() lang {
	if l == chinese {
		return english
	}
	return chinese
}

// langOf is the language of the page that a tag means, empty if there is none: zh-CN is Chinese.
func langOf(tag string) lang {
	base, _, _ := strings.Cut(tag, "-")
	switch l := lang(strings.ToLower(base)); l {
	case english, chinese:
		return l
	}
	return ""
}

// pickLang is the language for somebody whose browser has that tag.
func pickLang(tag string) lang {
	if l := langOf(tag); l != "" {
		return l
	}
	return english
}

// say is a message in the language, with its numbers and names filled in.
func (l lang) say(key message, args ...any) string { return say(messages, l, key, args) }

// count is a message with a number in it; one of its two keys is for a single thing.
func (l lang) count(n int, one, many message) string {
	if n == 1 {
		return l.say(one)
	}
	return l.say(many, n)
}

// in is a text of a scenario in the language.
func (l lang) in(t scenario.Text) string { return t.In(string(l)) }

// say looks a message up. What the catalogue does not have is shown as it is: a test finds it.
func say(catalogue map[message]scenario.Text, l lang, key message, args []any) string {
	t, ok := catalogue[key]
	if !ok {
		return string(key)
	}
	if len(args) == 0 {
		return l.in(t)
	}
	return fmt.Sprintf(l.in(t), args...)
}

// SetLang shows the page in a language from now on: the person has chosen it, so links keep it. A tag that is no language
// of the page changes nothing.
func (s *session) SetLang(tag string) {
	if l := langOf(tag); l != "" {
		s.lang, s.langChosen = l, true
		s.terminal.forgetHelp()
	}
}
