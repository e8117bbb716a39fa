package app

import (
	"github.com/rollplay/rollplay/engine/past"
)

// scriptWords are the messages that scripts write on the page (web/src/words.js): they ask for them by these keys.
var scriptWords = [...]message{
	"and-more", "command-mark", "editor-label", "time-of",
	"cm-find", "cm-replace-with", "cm-next", "cm-previous", "cm-all", "cm-case", "cm-regexp", "cm-word", "cm-replace", "cm-replace-all",
	"cm-close", "cm-match", "cm-on-line", "cm-replaced", "cm-replaced-line", "cm-goto", "cm-go", "cm-problems", "cm-no-problems",
	"cm-completions", "cm-deleted",
	"no-node", "pods-none", "tile-rank", "pod-delete", "pod-crash", "pod-fail-readiness", "pod-restore-readiness", "pod-why",
	"terminal-output", "terminal-input", "terminal-stop", "stop-means", "terminal-tab", "terminal-up", "copy", "copy-done", "copy-means",
	"terminal-clear", "clear-means", "terminal-above", "prompt-runs", "one-line-waits", "n-lines-wait",
}

// scriptWords are those messages in the language, with the two names of each state of a pod.
func (l lang) scriptWords() map[message]string {
	words := make(map[message]string, len(scriptWords)+2*int(past.PodStates))
	add := func(key message) { words[key] = l.say(key) }
	for _, key := range scriptWords {
		add(key)
	}
	for _, state := range podStates() {
		add(message("state-" + state))
		add(message("is-" + state))
	}
	return words
}

// showLang brings the document, and what scripts write on it, in step with the language of the session.
func (p *page) showLang() {
	if p.langShown != p.s.lang {
		p.langShown = p.s.lang
		showLang(p.s.lang)
	}
}
