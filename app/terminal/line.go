package terminal

import (
	"slices"
	"strings"
)

// WithKubectl writes a line as it stands in a terminal, whether the word kubectl was typed, the short k, or neither.
func WithKubectl(line string) string {
	line = strings.TrimSpace(line)
	first, rest, _ := strings.Cut(line, "\n")
	if here, command, ok := strings.Cut(first, "|"); ok && strings.HasPrefix(here, "cat <<") {
		// cat <<EOF | kubectl apply -f - is kubectl apply -f - <<EOF
		line = strings.TrimSpace(command) + " " + strings.TrimSpace(strings.TrimPrefix(here, "cat ")) + "\n" + rest
	}
	switch word, rest, _ := strings.Cut(line, " "); word {
	case "kubectl":
		return line
	case "k":
		return "kubectl " + strings.TrimSpace(rest)
	}
	return "kubectl " + line
}

// AppliesEditor says whether a line is kubectl apply -f - with nothing to read, which applies the editor's text.
func AppliesEditor(line string) bool {
	switch strings.Join(strings.Fields(line), " ") {
	case "kubectl apply -f -", "kubectl apply -f=-", "kubectl apply -f-", "kubectl apply --filename=-", "kubectl apply --filename -":
		return true
	}
	return false
}

// Waits says whether a command ends when the cluster reaches a state.
func Waits(line string) bool {
	words := strings.Fields(line)
	return slices.Contains(words, "rollout") && slices.Contains(words, "status") || len(words) > 1 && words[1] == "wait"
}
