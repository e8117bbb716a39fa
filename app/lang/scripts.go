package lang

import "github.com/rollplay/rollplay/engine/past"

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
	words := make(map[Message]string, len(scriptWords)+2*int(past.PodStates))
	add := func(key Message) { words[key] = l.Say(key) }
	for _, key := range scriptWords {
		add(key)
	}
	for _, state := range PodStates() {
		add(Message("state-" + state))
		add(Message("is-" + state))
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
