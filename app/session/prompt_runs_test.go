package session

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine/scenario"
)

func TestForkAndUndoReadAgain(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 5000, "get rs")
	typeAt(t, s, 20_000, "get deploy")
	typeAt(t, s, 20_500, statusLine)
	s.Cursor.SeekTo(s.Computed.End())
	want := screen(s)
	if indexOf(want, "10/10") < 0 {
		t.Fatalf("the terminal shows\n%s", strings.Join(want, "\n"))
	}
	actAt(t, s, 12_000, command.Scale(s.Computed.Workload(), 4))
	s.Cursor.ToEnd()
	got := screen(s)
	if indexOf(got, "4/4") < 0 || indexOf(got, "10/10") >= 0 || indexOf(got, "$ kubectl scale") < 0 {
		t.Errorf("after the fork the terminal shows\n%s", strings.Join(got, "\n"))
	}
	s.Undo()
	computeAll(t, s)
	s.Cursor.SeekTo(s.Computed.End())
	if got := screen(s); !slices.Equal(got, want) {
		t.Errorf("undone, the terminal shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestALineStaysBeforeTheCommandOfItsMoment: who lists at a quiet moment and then acts sees the state before.
func TestALineStaysBeforeTheCommandOfItsMoment(t *testing.T) {
	s := newLongSession(t)
	s.Cursor.SeekTo(8000)
	if s.Computed.shown.Past().At(s.Cursor.Record) == 8000 {
		t.Fatal("something happens at 8 s; take another moment")
	}
	s.Type("get deploy")
	before := screen(s)
	s.Type("scale deployment/nginx-deployment --replicas=4\nget deploy")
	computeAll(t, s)
	got := screen(s)
	if !slices.Equal(got[:len(before)], before) || s.Computed.rec.Commands[0].At != 8000 || !strings.Contains(got[len(got)-1], "/4 ") {
		t.Errorf("the terminal shows\n%s", strings.Join(got, "\n"))
	}
}

func TestAnotherScenarioHasItsOwnScreen(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 5000, "get rs")
	s.Document.Set(strings.Replace(s.Document.Text, "seed: 1", "seed: 2", 1))
	s.Restart()
	computeAll(t, s)
	s.Cursor.ToEnd()
	if indexOf(screen(s), "get rs") >= 0 {
		t.Error("a line that was typed to another scenario shows")
	}
	s.Undo()
	computeAll(t, s)
	s.Cursor.SeekTo(s.Computed.End())
	if indexOf(screen(s), "get rs") < 0 {
		t.Error("undo does not bring the line back")
	}
}

func TestALineThatIsNotUnderstoodChangesNothing(t *testing.T) {
	s := newLongSession(t)
	rec := s.Computed.rec
	for line, want := range map[string]string{
		"frobnicate":     `error: unknown command "frobnicate"`,
		"kubectl exec x": `error: rollplay does not model "kubectl exec"`,
		"kubectl logs x": `error: error from server (NotFound): pods "x" not found`,
		"scale --bogus":  "error: unknown flag: --bogus",
		"get pods | wc":  "error: rollplay is not a shell",
		"get endpoints":  "error: ",
		"edit rs/none":   "Error from server (NotFound)",
	} {
		typeAt(t, s, 12_000, line)
		got := screen(s)
		if n := len(got); got[n-1] != terminal.Exited || !strings.Contains(strings.Join(got, "\n"), want) || !sameRecording(s.Computed.rec, rec) {
			t.Errorf("%s: the terminal ends with %q; commands %v", line, got[max(0, n-3):], s.Computed.rec.Commands)
		}
	}
}

func TestApplyFromTheEditor(t *testing.T) {
	s := newLongSession(t)
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	typeAt(t, s, 9000, "k apply -f -")
	if len(s.Computed.rec.Commands) != 1 || s.Computed.rec.Commands[0].Apply == "" || s.Document.Dirty() || lastFrame(s).Desired != 6 {
		t.Fatalf("commands %v, dirty %t", s.Computed.rec.Commands, s.Document.Dirty())
	}
	shows(t, s, "$ kubectl apply -f -", "deployment.apps/nginx-deployment configured")
	s.Document.Set("a: [")
	typeAt(t, s, 9500, "kubectl apply -f -")
	got := screen(s)
	if got[len(got)-1] != terminal.Exited || !strings.HasPrefix(got[len(got)-2], "Not applied: ") || len(s.Computed.rec.Commands) != 1 {
		t.Errorf("a text with errors: %q", got[len(got)-3:])
	}
}

func TestApplyAHereDocument(t *testing.T) {
	const quota = "<<EOF\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: few}\nspec: {hard: {pods: 12}}\nEOF\n"
	for _, text := range []string{"kubectl apply -f - " + quota, "cat " + strings.Replace(quota, "\n", " | kubectl apply -f -\n", 1)} {
		s := newLongSession(t)
		typeAt(t, s, 9000, text+"get quota")
		got := screen(s)
		at := indexOf(got, "$ kubectl apply -f - <<EOF")
		if at < 0 || got[at+1] != "> apiVersion: v1" || indexOf(got, "resourcequota/few created") < at || indexOf(got, "pods: 0/12") < 0 && indexOf(got, "/12") < 0 {
			t.Errorf("the terminal shows\n%s", strings.Join(got, "\n"))
		}
	}
}

func TestEditLeadsToTheManifest(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 9000, "edit deployment/nginx-deployment")
	lines := strings.Split(s.Document.Text, "\n")
	if at := s.Prompt.editAt; at < 1 || !strings.Contains(lines[at-1], "apiVersion: apps/v1") {
		t.Errorf("the editor is led to line %d", at)
	}
	if len(s.Computed.rec.Commands) != 0 {
		t.Errorf("commands %v: edit alone changes nothing", s.Computed.rec.Commands)
	}
	got := screen(s)
	rs := strings.Fields(got[len(got)-1])
	if rs[0] != "deployment/nginx-deployment" || !strings.Contains(got[len(got)-1], fmt.Sprintf("line %d", s.Prompt.editAt)) {
		t.Errorf("the answer is %q", got[len(got)-1])
	}
	s.Prompt.editAt = 0
	typeAt(t, s, 9000, "edit node/node-1")
	if s.Prompt.editAt != 0 {
		t.Error("an object without a manifest leads into the editor")
	}
}

func TestLineOf(t *testing.T) {
	const object = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: %s}\nspec: {hard: {pods: 1}}\n"
	a, b := fmt.Sprintf(object, "a"), fmt.Sprintf(object, "b")
	for _, c := range []struct {
		text string
		want int
	}{
		{b, 1}, {"# a comment\n\n" + b, 3}, {a + "---\n" + b, 6}, {"---\n" + a + "--- # the second\n\n# of two\n" + b, 9}, {a, 0}, {"", 0}, {"b: [", 0},
	} {
		if got := scenario.Read(c.text).Line("ResourceQuota/default/b"); got != c.want {
			t.Errorf("%q: line %d, want %d", c.text, got, c.want)
		}
	}
}

func TestClearAndHelp(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 9000, "clear")
	if got := screen(s); len(got) != 0 {
		t.Errorf("after clear the terminal shows %q", got)
	}
	typeAt(t, s, 9100, "help")
	if got := screen(s); indexOf(got, "rollout undo") < 0 || indexOf(got, "Ctrl-L") < 0 {
		t.Errorf("help says %q", got)
	}
	s.Cursor.SeekTo(8999)
	if len(screen(s)) == 0 {
		t.Error("before clear the terminal was not empty")
	}
	typeAt(t, s, 10_500, statusLine)
	s.Cursor.SeekTo(11_000)
	s.Prompt.Clear()
	s.Cursor.SeekTo(12_000)
	if got := screen(s); s.Prompt.Screen().Stream() == nil || len(got) == 0 || indexOf(got, "$") >= 0 {
		t.Errorf("a stream continues on an empty screen; the terminal shows %q", got)
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	s := newLongSession(t)
	text := strings.Replace(s.Document.Text, "  seed: 1", "  seed: 1\n  clientConnection: {qps: 0}", 1)
	s.Document.Set(strings.Replace(text, "replicas: 10", "replicas: 600", 1))
	s.Cursor.SeekTo(0)
	s.Apply()
	computeAll(t, s)
	typeAt(t, s, 2000, "get pods")
	shows(t, s, "… 101 more lines; Copy has all")
	if got := strings.Count(s.Prompt.Screen().Transcript(), "nginx-deployment-"); got != 600 {
		t.Errorf("the transcript has %d pods, want 600", got)
	}
}

func TestTheTerminalSurvivesAReload(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 9000, "get rs -w")
	s.Cursor.SeekTo(12_000)
	s.Prompt.Interrupt()
	typeAt(t, s, 13_000, "scale deployment/nginx-deployment --replicas=4")
	typeAt(t, s, 20_000, "get deploy")
	typeAt(t, s, 21_000, "edit rs/none")
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	computeAll(t, again)
	again.Cursor.SeekTo(s.Cursor.T)
	if got, want := screen(again), screen(s); !slices.Equal(got, want) {
		t.Errorf("after a reload the terminal shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Equal(again.Prompt.terminal.History(), s.Prompt.terminal.History()) || len(again.Prompt.terminal.History()) != 4 {
		t.Errorf("the history is %q", again.Prompt.terminal.History())
	}
	for _, damaged := range []string{
		`{"version":1,"recording":{"scenario":%q},"terminal":{"typed":[null,{"line":""},{"line":"get rs","t":5000,"record":-9,"recordT":-1},{"line":"get rs","t":6000,"record":99999,"recordT":3}]}}`,
	} {
		again := New(false)
		again.Open(Kept{Data: fmt.Sprintf(damaged, s.Computed.rec.Scenario)}, "")
		computeAll(t, again)
		again.Cursor.SeekTo(again.Computed.End())
		if got := screen(again); indexOf(got, "get rs") < 0 {
			t.Errorf("of a damaged save the terminal shows %q", got)
		}
	}
}

// TestTheSameRecordingShowsTheSameCommands: what others typed to look around is theirs; what they changed is in the link.
func TestTheSameRecordingShowsTheSameCommands(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 12_000, "set image deployment/nginx-deployment nginx=nginx:2\nrollout undo deployment/nginx-deployment")
	other := New(false)
	if other.Cursor.Place = (cursor.Place{T: s.Cursor.T, Record: -1}); !other.start(s.Computed.rec) {
		t.Fatal(other.Visit.Notice)
	}
	computeAll(t, other)
	other.Cursor.SeekTo(s.Cursor.T)
	if got, want := screen(other), screen(s); !slices.Equal(got, want) || indexOf(got, "$ kubectl rollout undo") < 0 {
		t.Errorf("elsewhere the terminal shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCalmStreamsDoNotMove(t *testing.T) {
	s := New(true)
	s.Open(Kept{}, "")
	computeAll(t, s)
	typeAt(t, s, 10_500, statusLine+"\nget deploy")
	if s.Cursor.Playing || s.Prompt.terminal.Waiting() != 1 {
		t.Fatalf("playing %t, waiting %d", s.Cursor.Playing, s.Prompt.terminal.Waiting())
	}
	for range 1000 {
		if s.StepNext(); s.Prompt.terminal.Waiting() == 0 {
			break
		}
	}
	if got := screen(s); indexOf(got, "successfully rolled out") < 0 || indexOf(got, "$ kubectl get deploy") < 0 {
		t.Errorf("stepping does not bring the line that waits:\n%s", strings.Join(got, "\n"))
	}
}

// TestWaitAtThePrompt: what waits behind a wait runs when it is over, and Ctrl-C ends one that is not.
func TestWaitAtThePrompt(t *testing.T) {
	const wait = "wait deployment/nginx-deployment --for=jsonpath='{.status.observedGeneration}'=2"
	s := newLongSession(t)
	s.Cursor.SeekTo(5000)
	s.Cursor.Playing = false
	s.Type(wait + "\nrollout pause deployment/nginx-deployment\n")
	if s.Prompt.terminal.Waiting() != 1 || s.Prompt.Screen().Stream() == nil || !s.Cursor.Playing {
		t.Fatalf("waiting %d, stream %v, playing %t; want a line behind the wait", s.Prompt.terminal.Waiting(), s.Prompt.Screen().Stream(), s.Cursor.Playing)
	}
	met := s.Prompt.Screen().Halt(math.MaxInt64)
	s.Cursor.SetFactor(100)
	for range 1000 {
		if s.Tick(16); len(s.Computed.rec.Commands) == 1 {
			break
		}
	}
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 1 || s.Computed.rec.Commands[0].At < met || s.Computed.rec.Commands[0].At > met+1 || met < 10_000 {
		t.Fatalf("commands %v, want the pause when the update was observed at %d", s.Computed.rec.Commands, met)
	}
	if got := screen(s); indexOf(got, "deployment.apps/nginx-deployment condition met") != indexOf(got, "$ kubectl wait")+3 {
		t.Errorf("the wait does not say that it is over, below the command of the scenario:\n%s", strings.Join(got, "\n"))
	}
	typeAt(t, s, 40_000, "wait deployment/nginx-deployment --for=condition=Nothing")
	s.Cursor.SeekTo(45_000)
	s.Prompt.Interrupt()
	shows(t, s, "$ kubectl wait deployment/nginx-deployment --for=condition=Nothing", "^C")
}

// TestWaitOfTheScenarioPrints: what a wait of a timeline prints later stands in the terminal from its moment on.
func TestWaitOfTheScenarioPrints(t *testing.T) {
	const at = "  timeline:\n"
	s := newLongSession(t)
	if !strings.Contains(s.Document.Text, at) {
		t.Fatal("the scenario has no timeline")
	}
	s.Document.Set(strings.Replace(s.Document.Text, at, at+
		"  - {at: 5s, run: kubectl wait deployment/nginx-deployment --for=condition=Nothing --timeout=4s}\n", 1))
	s.Restart()
	computeAll(t, s)
	s.Cursor.Playing = false
	s.Cursor.SeekTo(8999)
	shows(t, s, "$ kubectl wait deployment/nginx-deployment --for=condition=Nothing --timeout=4s")
	s.Cursor.SeekTo(9000)
	shows(t, s, "error: timed out waiting for the condition on deployments/nginx-deployment", "# exit 1")
}

// TestFlagsBeforeTheVerb: a wait is a wait, wherever its flags stand; lines behind it do not end it.
func TestFlagsBeforeTheVerb(t *testing.T) {
	s := newLongSession(t)
	s.Cursor.SeekTo(5000)
	s.Cursor.Playing = false
	s.Type("kubectl -n default wait deployment/nginx-deployment --for=jsonpath='{.status.observedGeneration}'=2\nget deploy\n")
	if s.Prompt.terminal.Waiting() != 1 || s.Prompt.Screen().Stream() == nil {
		t.Errorf("%d lines wait, the stream is %v", s.Prompt.terminal.Waiting(), s.Prompt.Screen().Stream())
	}
}

// TestADrainPrintsLater: what a drain prints after its first answer stands in the terminal, and what goes to stderr is marked.
func TestADrainPrintsLater(t *testing.T) {
	s := newLongSession(t)
	s.Document.Set(s.Document.Text + `
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: all}
spec: {selector: {matchLabels: {app: nginx}}, minAvailable: 100%}
`)
	s.Restart()
	computeAll(t, s)
	s.Cursor.Playing = false
	typeAt(t, s, 60_000, "kubectl -n default drain node-1")
	at := s.Computed.rec.Commands[0].At
	s.Cursor.SeekTo(at)
	first := screen(s)
	s.Cursor.SeekTo(at + 5000)
	later := screen(s)[len(first):]
	if len(later) == 0 || !strings.HasPrefix(later[0], "evicting pod default/nginx-deployment-") {
		t.Fatalf("five seconds later the terminal shows no further lines: %q", later)
	}
	if n := indexOf(later, "will retry after 5s"); n < 0 {
		t.Errorf("no line says that the eviction is tried again: %q", later)
	} else if l := s.Prompt.Screen().Lines()[len(first)+n]; l.Kind != terminal.KindError || s.Prompt.Screen().Lines()[len(first)].Kind != terminal.KindOutput {
		t.Errorf("%q has the kind %c", l.Text, l.Kind)
	}
}

// TestPartialFailure: of a command that fails for one of two objects, only the error goes to stderr.
func TestPartialFailure(t *testing.T) {
	s := newLongSession(t)
	typeAt(t, s, 20_000, "scale deploy nginx-deployment nope --replicas=4")
	lines := s.Prompt.Screen().Lines()
	n := len(lines)
	if n < 3 || lines[n-3].Kind != terminal.KindOutput || lines[n-3].Text != "deployment.apps/nginx-deployment scaled" ||
		lines[n-2].Kind != terminal.KindError || lines[n-1].Text != terminal.Exited {
		t.Errorf("got %v", lines[max(0, n-3):])
	}
}
