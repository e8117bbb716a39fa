package line

import (
	"fmt"
	"strings"
)

// fromFile turns `cat FILE | kubectl apply -f -` into `kubectl apply -f FILE`.
func fromFile(text string) string {
	file, isCat := strings.CutPrefix(strings.TrimSpace(text), "cat ")
	file, command, piped := strings.Cut(file, "|")
	if file = strings.TrimSpace(file); !isCat || !piped || strings.Contains(file, "<") || !strings.Contains(command, " -f -") {
		return text
	}
	return strings.Replace(strings.TrimSpace(command), " -f -", " -f "+file, 1)
}

// echoed turns `echo $(kubectl get pods -o name)` into the command and a pipe to xargs, which prints its words with a blank between them.
func echoed(text string) string {
	command, echoes := strings.CutPrefix(strings.TrimSpace(text), "echo $(")
	if command, closed := strings.CutSuffix(command, ")"); echoes && closed {
		return command + " | xargs"
	}
	return text
}

// watched turns `watch kubectl get pods` into `kubectl get -w pods`, which prints what changes where watch would print all again.
func watched(text string) (string, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "watch ")
	if !ok {
		return text, nil
	}
	for rest = strings.TrimSpace(rest); isFlag(rest); rest = strings.TrimSpace(rest) {
		option, behind, _ := strings.Cut(rest, " ")
		if rest = behind; option == "-n" || option == "--interval" {
			_, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		}
	}
	if n := len(rest); n > 1 && (rest[0] == '"' || rest[0] == '\'') && rest[n-1] == rest[0] {
		rest = rest[1 : n-1]
	}
	words := strings.SplitN(strings.TrimPrefix(inFull(rest), "kubectl "), " ", 2)
	if words[0] != "get" && words[0] != "events" {
		return text, fmt.Errorf("rollplay's watch shows what kubectl get and kubectl events print, not %q", rest)
	}
	return "kubectl " + words[0] + " -w " + strings.Join(words[1:], ""), nil
}
