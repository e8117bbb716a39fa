package session

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/terminal"
)

const statusLine = "rollout status deployment/nginx-deployment"

// newLongSession is the first scenario, going on for two minutes.
func newLongSession(t *testing.T) *Session {
	t.Helper()
	s := newTestSession(t)
	s.Cursor.SeekTo(0)
	s.Document.Set(strings.Replace(s.Document.Text, "  seed: 1", "  seed: 1\n  duration: 2m", 1))
	s.Restart()
	computeAll(t, s)
	s.Cursor.Playing = false
	return s
}

// screen is what the terminal shows at the cursor, a line each.
func screen(s *Session) []string {
	var lines []string
	for _, l := range s.Prompt.Screen().Lines() {
		lines = append(lines, l.Text)
	}
	return lines
}

// typeAt types a line at a moment, and computes what comes of it. Time stands still afterwards.
func typeAt(t *testing.T, s *Session, at int64, text string) {
	t.Helper()
	s.Cursor.SeekTo(at)
	s.Type(text)
	computeAll(t, s)
	s.Cursor.Playing = false
}

// shows fails the test unless the terminal's last lines are these.
func shows(t *testing.T, s *Session, want ...string) {
	t.Helper()
	got := screen(s)
	if n := len(got) - len(want); n < 0 || !slices.Equal(got[n:], want) {
		t.Errorf("at %s the terminal shows\n\t%s\nwant at its end\n\t%s", cursor.Clock(s.Cursor.T), strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func indexOf(lines []string, part string) int {
	return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, part) })
}

func TestTheScrollbackFollowsTheCursor(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 6000, "get deploy")
	s.Cursor.SeekTo(0)
	shows(t, s, "$ kubectl apply -f scenario.yaml", "deployment.apps/nginx-deployment created")
	s.Cursor.SeekTo(5999)
	if n := indexOf(screen(s), "get deploy"); n >= 0 {
		t.Error("a line shows before it was typed")
	}
	s.Cursor.ToEnd()
	all := screen(s)
	get, set := indexOf(all, "$ kubectl get deploy"), indexOf(all, "$ kubectl set image")
	if get < 0 || set < get || !strings.HasPrefix(all[get+1], "NAME ") || all[set+1] != "deployment.apps/nginx-deployment image updated" {
		t.Errorf("the typed line and the command of the scenario are not in the order of time:\n%s", strings.Join(all, "\n"))
	}
	if !strings.Contains(all[get+2], " 6s") {
		t.Errorf("the answer is not of the moment when it was typed: %q", all[get+2])
	}
	s.Cursor.SeekTo(6000)
	if got := screen(s); !slices.Equal(got, all[:len(got)]) || len(got) >= len(all) {
		t.Errorf("what was printed earlier is no beginning of what is printed later:\n%s", strings.Join(got, "\n"))
	}
}

func TestAWritingLineIsACommandOfTheRun(t *testing.T) {
	for _, line := range []string{
		"scale deployment/nginx-deployment --replicas=4", "k scale deploy nginx-deployment --replicas=4", "kubectl scale deployment/nginx-deployment --replicas=4",
	} {
		s := newLongSession(t)
		typeAt(t, s, 5000, line)
		if len(s.Computed.rec.Commands) != 1 || lastFrame(s).Desired != 4 {
			t.Fatalf("%s: commands %v", line, s.Computed.rec.Commands)
		}
		if got := screen(s); !strings.HasPrefix(got[len(got)-2], "$ kubectl scale ") || got[len(got)-1] != "deployment.apps/nginx-deployment scaled" {
			t.Errorf("%s: the terminal ends with %q", line, got[len(got)-2:])
		}
	}
}

func TestButtonsShowInTheTerminal(t *testing.T) {
	s := newLongSession(t)
	w := s.Computed.Workload()
	for n, line := range []string{
		command.Scale(w, 4), command.Rollout(w, "pause"), command.SetImage(w, "nginx", "nginx:2"), command.Rollout(w, "resume"),
		command.Rollout(w, "undo"), command.Rollout(w, "restart"), command.DeletePod("default", "nobody"),
	} {
		actAt(t, s, int64(40_000+100*n), line)
		if got := screen(s); indexOf(got, "$ "+line) < 0 {
			t.Errorf("%s is not in the terminal:\n%s", line, strings.Join(got, "\n"))
		}
	}
	shows(t, s, "$ kubectl delete pod nobody", `Error from server (NotFound): pods "nobody" not found`, terminal.Exited)
}

func TestRolloutStatusStreams(t *testing.T) {
	s := newLongSession(t)
	s.Cursor.SeekTo(10_500)
	s.Cursor.Playing = false
	s.Type(statusLine)
	if s.Prompt.Screen().Stream() == nil || !s.Cursor.Playing {
		t.Fatal("the stream does not run, or time stands still")
	}
	s.Cursor.Playing = false
	first := screen(s)
	if n := indexOf(first, "$ kubectl "+statusLine); n != len(first)-2 || !strings.HasPrefix(first[n+1], "Waiting for deployment") {
		t.Fatalf("at once the stream prints\n%s", strings.Join(first[n:], "\n"))
	}
	s.Cursor.SeekTo(s.Cursor.T + 3000)
	later := screen(s)
	if len(later) <= len(first) || s.Prompt.Screen().Stream() == nil {
		t.Errorf("three seconds later the terminal has %d lines, had %d", len(later), len(first))
	}
	s.Cursor.ToEnd()
	shows(t, s, `deployment "nginx-deployment" successfully rolled out`)
	if s.Prompt.Screen().Stream() != nil {
		t.Error("the prompt is not free after the last line")
	}
	lines := s.Prompt.Screen().Lines()
	end := lines[len(lines)-1].At.T
	s.Cursor.SeekTo(end - 1)
	if s.Prompt.Screen().Stream() == nil || indexOf(screen(s), "successfully") >= 0 {
		t.Error("a millisecond before its last line the stream is over")
	}
	s.Cursor.SeekTo(end)
	if s.Prompt.Screen().Stream() != nil {
		t.Error("the prompt is not free when the last line is there")
	}
}

func TestAFailedRolloutExitsWhenItFails(t *testing.T) {
	s := newLongSession(t)
	w := s.Computed.Workload()
	actAt(t, s, 30_500, command.SetImage(w, "nginx", "nginx:2"))
	typeAt(t, s, 31_000, statusLine+" --timeout=2s")
	s.Cursor.SeekTo(32_999)
	if indexOf(screen(s), terminal.Exited) >= 0 || s.Prompt.Screen().Stream() == nil {
		t.Error("exit 1 before the time is over")
	}
	s.Cursor.SeekTo(33_000)
	if s.Prompt.Screen().Stream() != nil {
		t.Error("the prompt is not free after exit 1")
	}
	shows(t, s, "error: timed out waiting for the condition", terminal.Exited)
}

func TestCtrlC(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 9000, "get rs -w")
	s.Cursor.SeekTo(12_000)
	before := screen(s)
	s.Prompt.Interrupt()
	if s.Prompt.Screen().Stream() != nil {
		t.Error("Ctrl-C leaves the stream running")
	}
	shows(t, s, before[len(before)-1], "^C")
	s.Cursor.ToEnd()
	if got := screen(s); !slices.Equal(got, append(before, "^C")) {
		t.Errorf("after Ctrl-C the terminal shows\n%s", strings.Join(got, "\n"))
	}
	s.Cursor.SeekTo(11_000)
	if s.Prompt.Screen().Stream() == nil || indexOf(screen(s), "^C") >= 0 {
		t.Error("before Ctrl-C the stream ran")
	}
	n := s.Prompt.terminal.Version()
	s.Cursor.SeekTo(s.Computed.End())
	s.Prompt.Interrupt()
	if s.Prompt.terminal.Version() != n {
		t.Error("Ctrl-C at a free prompt changes the scrollback")
	}
}

func TestTheNextLineEndsAStream(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 9000, "get rs -w")
	typeAt(t, s, 11_000, "scale deployment/nginx-deployment --replicas=4")
	shows(t, s, "^C", "$ kubectl scale deployment/nginx-deployment --replicas=4", "deployment.apps/nginx-deployment scaled")
	typeAt(t, s, 5000, "get rs -w")
	s.Cursor.SeekTo(9500)
	if e := s.Prompt.Screen().Stream(); e == nil || e.T != 9000 {
		t.Errorf("at 9.5 s the stream is %+v, want the one that was typed at 9 s", e)
	}
	if got := screen(s); indexOf(got, "^C") < 0 || indexOf(got, "^C") > len(got)-3 {
		t.Errorf("the line of 9 s does not end the stream of 5 s:\n%s", strings.Join(got, "\n"))
	}
}

func TestACommandStandsAmidAStream(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 5000, "get rs -w")
	s.Cursor.SeekTo(12_000)
	got := screen(s)
	set := indexOf(got, "$ kubectl set image")
	if set < 0 || !strings.HasPrefix(got[set-1], "nginx-deployment-") || !strings.HasPrefix(got[set+2], "nginx-deployment-") {
		t.Errorf("the command of the scenario is not where it happened:\n%s", strings.Join(got, "\n"))
	}
}

func TestSeveralLines(t *testing.T) {
	s := newLongSession(t)
	s.Cursor.SeekTo(30_000)
	s.Cursor.Playing = false
	s.Type("# make it smaller\n$ kubectl scale deployment/nginx-deployment \\\n  --replicas=4\nget rs -w\n" + statusLine + "\nrollout restart deployment/nginx-deployment\nget deploy\n")
	computeAll(t, s)
	got := screen(s)
	if watch := indexOf(got, "get rs -w"); watch < 0 || indexOf(got[watch:], "^C") < 0 {
		t.Errorf("get -w in the middle does not end at once:\n%s", strings.Join(got, "\n"))
	}
	if s.Prompt.terminal.Waiting() != 2 || len(s.Computed.rec.Commands) != 1 || !s.Cursor.Playing {
		t.Fatalf("waiting %d, commands %v, playing %t; want two lines behind rollout status", s.Prompt.terminal.Waiting(), s.Computed.rec.Commands, s.Cursor.Playing)
	}
	done := s.Prompt.Screen().Halt(math.MaxInt64)
	s.Cursor.SetFactor(1000)
	for range 1000 {
		if s.Tick(16); len(s.Computed.rec.Commands) == 2 {
			break
		}
	}
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 2 || s.Computed.rec.Commands[1].At < done || s.Computed.rec.Commands[1].At > done+1 {
		t.Fatalf("commands %v, want the restart when the rollout was done at %d", s.Computed.rec.Commands, done)
	}
	if s.Cursor.Playing = false; s.Prompt.terminal.Waiting() != 0 {
		t.Errorf("%d still wait", s.Prompt.terminal.Waiting())
	}
	if got := screen(s); indexOf(got, "$ kubectl get deploy") != len(got)-3 {
		t.Errorf("the last of the lines did not run:\n%s", strings.Join(got, "\n"))
	}
}

func TestCtrlCForgetsTheLinesThatWait(t *testing.T) {
	s := newLongSession(t)
	s.Cursor.SeekTo(11_000)
	s.Type(statusLine + "\nrollout undo deployment/nginx-deployment\n")
	if s.Prompt.terminal.Waiting() != 1 {
		t.Fatalf("waiting %d", s.Prompt.terminal.Waiting())
	}
	s.Prompt.Interrupt()
	s.Cursor.Playing = true
	for range 10_000 {
		s.Tick(16)
	}
	if len(s.Computed.rec.Commands) != 0 {
		t.Errorf("commands %v after Ctrl-C", s.Computed.rec.Commands)
	}
}

// TestSequences: a command behind && runs if the one before has succeeded, behind || if it has failed; what is left out does not show,
// and the next one looks further back. Waits are waited for.
func TestSequences(t *testing.T) {
	const name = "nginx-deployment"
	for _, c := range []struct {
		text, want string
		commands   int
	}{
		{"get deploy; get rs", "get deploy|get rs", 0},
		{"get deploy && get rs || get pods", "get deploy|get rs", 0},
		{"get nothing && get rs || get pods", "get nothing|get pods", 0},
		{"get nothing || get rs && get pods", "get nothing|get rs|get pods", 0},
		{"frobnicate && scale deploy/" + name + " --replicas=4; get rs", "frobnicate|get rs", 0},
		{"scale deploy/" + name + " --replicas=4 && get rs", "scale deploy/" + name + " --replicas=4|get rs", 1},
		{"scale deploy/nothing --replicas=4 && get rs || get pods", "scale deploy/nothing --replicas=4|get pods", 1},
		{"clear && get rs || get pods", "get rs", 0},
	} {
		s := newLongSession(t)
		typeAt(t, s, 12_000, c.text)
		computeAll(t, s)
		var ran []string
		for _, line := range screen(s) {
			if rest, ok := strings.CutPrefix(line, "$ "); ok {
				ran = append(ran, strings.TrimPrefix(rest, "kubectl "))
			}
		}
		if got := strings.Join(ran, "|"); !strings.HasSuffix("|"+got, "|"+c.want) || len(ran) > 2+strings.Count(c.want, "|")+1 || len(s.Computed.rec.Commands) != c.commands {
			t.Errorf("%s: %s ran, %d commands", c.text, got, len(s.Computed.rec.Commands))
		}
	}
}
