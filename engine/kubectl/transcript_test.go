package kubectl_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

var update = flag.Bool("update", false, "rewrite the answers in the transcripts of testdata/transcripts")

// exchange is a command of a transcript and what kubectl answers.
type exchange struct {
	before  string // comments and times that stand before the command
	at      int64
	command string
	answer  string
}

// TestTranscripts runs the sessions of testdata/transcripts/write-*.txtar: a scenario, then commands as they stand in a
// terminal, each with its answer. A command comes a second after the one before it, or at the time of a line such as @30s.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/write-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runTranscript(t, file) })
	}
}

func runTranscript(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil || len(archive.Files) != 2 {
		t.Fatalf("%s must hold a scenario and a session: %v", file, err)
	}
	exchanges := parseSession(t, string(archive.Files[1].Data))
	answers := answersOf(t, string(archive.Files[0].Data), exchanges)
	var session strings.Builder
	for i, x := range exchanges {
		if answers[i] != x.answer && !*update {
			t.Errorf("$ %s\n--- got\n%s\n--- want\n%s", x.command, answers[i], x.answer)
		}
		session.WriteString(x.before + "$ " + x.command + "\n")
		if answers[i] != "" {
			session.WriteString(answers[i] + "\n")
		}
	}
	archive.Files[1].Data = []byte(session.String())
	if text := txtar.Format(archive); *update {
		if before, err := os.ReadFile(file); err == nil && !bytes.Equal(before, text) {
			err = os.WriteFile(file, text, 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// first takes the first command off a text.
func first(text string) (command, rest string) { return line.FirstCommand(text) }

// parseSession cuts a session into commands and answers.
func parseSession(t *testing.T, text string) (exchanges []exchange) {
	at, before := int64(0), ""
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		switch {
		case strings.HasPrefix(line, "$ "):
			at += 1000
			command, after := first(text)
			exchanges = append(exchanges, exchange{before: before, at: at, command: command})
			before, rest = "", after
		case strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "@@"):
			at = moment(t, line[1:]) - 1000
			before += line + "\n"
		case strings.HasPrefix(line, "#"), line == "" && strings.HasPrefix(rest, "#"), line == "" && strings.HasPrefix(rest, "@"):
			before += line + "\n"
		case len(exchanges) == 0:
			t.Fatalf("%q is no command", line)
		default:
			x := &exchanges[len(exchanges)-1]
			if x.answer != "" {
				x.answer += "\n"
			}
			x.answer += line
		}
		text = rest
	}
	return exchanges
}

// moment reads 30s.
func moment(t *testing.T, text string) int64 {
	n := int64(0)
	for _, digit := range strings.TrimSuffix(text, "s") {
		if digit < '0' || digit > '9' {
			t.Fatalf("%q is no moment", text)
		}
		n = 10*n + int64(digit-'0')
	}
	return n * 1000
}

// answersOf runs a scenario with the commands.
func answersOf(t *testing.T, scenario string, exchanges []exchange) (answers []string) {
	recording := engine.Recording{Scenario: scenario}
	for _, x := range exchanges {
		recording.Commands = append(recording.Commands, engine.Command{At: x.at, Run: x.command})
	}
	run, diagnostics := engine.Start(recording)
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	run.Finish()
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == engine.Input && r.T > 0 {
			answers = append(answers, run.Past().Transcript(i).Text())
		}
	}
	if len(answers) != len(exchanges) {
		t.Fatalf("%d answers to %d commands", len(answers), len(exchanges))
	}
	return answers
}

// TestCordon: the scheduler leaves a cordoned node alone, and comes back to it when it is uncordoned (G-31).
func TestCordon(t *testing.T) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}]}
`, Commands: []engine.Command{
		{At: 10_000, Run: "kubectl cordon node-1 node-2 node-3"},
		{At: 11_000, Run: "kubectl scale deployment/web --replicas=2"},
		{At: 40_000, Run: "kubectl uncordon node-2"},
	}})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	run.Finish()
	refused, bound := int64(-1), int64(-1)
	for i := range run.Len() {
		switch r := run.Record(i); {
		case r.T < 10_000:
		case r.Reason == "FailedScheduling" && refused < 0:
			refused = r.T
			if want := "0/3 nodes are available: 3 node(s) were unschedulable"; !strings.HasPrefix(r.Message, want) {
				t.Errorf("got %q, want %q", r.Message, want)
			}
		case r.Reason == "Scheduled":
			bound = r.T
			if !strings.HasSuffix(r.Message, " to node-2") {
				t.Errorf("got %q", r.Message)
			}
		}
	}
	if refused < 11_000 || refused > 12_000 || bound < 40_000 {
		t.Errorf("refused at %d ms, bound at %d ms", refused, bound)
	}
}
