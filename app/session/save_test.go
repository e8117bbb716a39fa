package session

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

func TestNothingIsLostOnReload(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(9000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	s.Cursor.SeekTo(12345)
	s.Cursor.SetSpeed(7)
	s.Document.Set(s.Document.Text + "# not applied yet\n")

	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	computeAll(t, again)
	if !sameRecording(again.Computed.rec, s.Computed.rec) || again.Document.Text != s.Document.Text || again.Document.applied != s.Document.applied || again.Document.Preset != s.Document.Preset {
		t.Error("recording or texts differ after a reload")
	}
	if again.Cursor.Place != s.Cursor.Place || again.Cursor.Speed != s.Cursor.Speed || again.Cursor.Playing {
		t.Errorf("cursor %v, speed %d, playing %v; want %v, %d, resting", again.Cursor.Place, again.Cursor.Speed, again.Cursor.Playing, s.Cursor.Place, s.Cursor.Speed)
	}
	if again.Computed.shown.Len() != s.Computed.shown.Len() {
		t.Errorf("%d records after a reload, want %d", again.Computed.shown.Len(), s.Computed.shown.Len())
	}
}

func TestATextThatDoesNotRunSurvivesAReload(t *testing.T) {
	s := newTestSession(t)
	s.Document.Set("a: [")
	s.Visit.Touched = true
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	if again.Document.Text != "a: [" || again.Computed.shown == nil || again.Document.Errors() == 0 {
		t.Errorf("text %q, run %v, %d errors; want the text, the last good run and its errors", again.Document.Text, again.Computed.shown != nil, again.Document.Errors())
	}
}

func TestDamagedSavesOpenTheFirstScenario(t *testing.T) {
	for _, data := range []string{"{", "null", `{"version":99}`, `{"version":1,"speed":-3,"t":-7,"recording":{"scenario":"a: ["}}`} {
		s := New(false)
		s.Open(Kept{Data: data}, "")
		if strings.HasPrefix(data, `{"version":1,`) {
			if s.Computed.shown != nil || s.Cursor.Speed != 0 {
				t.Errorf("%s: run %v, speed %d; want no run and a speed that exists", data, s.Computed.shown != nil, s.Cursor.Speed)
			}
			continue
		}
		if s.Document.Preset != FirstScenario {
			t.Errorf("%s: preset %q, want %s", data, s.Document.Preset, FirstScenario)
		}
	}
}

func TestTheRunOnShowStaysUntilTheNextHasCaughtUp(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.ToEnd()
	shown := s.Computed.shown
	next, _ := startRun(t, s.Computed.rec)
	s.Computed.next = next
	s.adopt()
	if s.Computed.shown != shown {
		t.Fatal("a run that is behind the cursor is shown")
	}
	s.Tick(1000)
	for s.Computed.next != nil {
		s.Compute(1)
	}
	if s.Computed.shown != next || s.Computed.shown.Now() < s.Cursor.T {
		t.Errorf("shown run is computed to %d, cursor at %d", s.Computed.shown.Now(), s.Cursor.T)
	}
}

func TestHowOneMovesInTimeSurvivesAReload(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SetFactor(1000)
	s.Cursor.SetStep(ByMoment)
	loopOver(s, 2000, 5000)
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	if SpeedText(again.Cursor.Speed) != "1000×" || again.Cursor.Step != ByMoment || again.Cursor.Loop != (Loop{A: 2000, B: 5000, Set: LoopOn}) {
		t.Errorf("speed %s, steps by %s, loop %+v", SpeedText(again.Cursor.Speed), again.Cursor.Step, again.Cursor.Loop)
	}
}

// TestSpeedsOfOlderVersions: the speed was kept as its number on the scale, and the scale has got longer at its end.
func TestSpeedsOfOlderVersions(t *testing.T) {
	for data, want := range map[string]string{
		`{"version":1,"speed":0}`:                "0.1×",
		`{"version":1,"speed":9}`:                "100×",
		`{"version":1,"factor":500}`:             "500×",
		`{"version":1,"factor":7}`:               "5×", // not on the scale
		`{"version":1,"factor":1e9}`:             "1000×",
		`{"version":1,"speed":4,"factor":0.1}`:   "0.1×",
		`{"version":1,"speed":4,"step":"never"}`: "2×",
	} {
		s := New(false)
		if err := s.Restore(data); err != nil || SpeedText(s.Cursor.Speed) != want || s.Cursor.Step != byReconcile {
			t.Errorf("%s: %v, speed %s, steps by %s; want %s", data, err, SpeedText(s.Cursor.Speed), s.Cursor.Step, want)
		}
	}
	s := New(false)
	if err := s.Restore(`{"version":1,"loop":{"a":9,"b":3,"set":2}}`); err != nil || s.Cursor.Loop != (Loop{}) {
		t.Errorf("%v: a damaged loop is %+v", err, s.Cursor.Loop)
	}
}

// TestEveryNumberMayBeDamaged: each number of a saved session, forks and terminal included, is replaced by one that Save never
// writes. Whatever is restored of it can be played, read and left for another run.
func TestEveryNumberMayBeDamaged(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	s.Cursor.SeekTo(3000)
	s.Kubectl("kubectl rollout restart deployment/nginx-deployment") // the runs without and with the scale are forks
	s.Type("kubectl get pods -w")
	s.Cursor.ToggleLoop()
	data := s.Save()
	if len(s.Branches.list) != 2 || !strings.Contains(data, `"at":3000`) || !strings.Contains(data, `"at":5000`) {
		t.Fatalf("%d forks, want 2, one with a command", len(s.Branches.list))
	}
	for _, at := range regexp.MustCompile(`":(\d+)`).FindAllStringSubmatchIndex(data, -1) {
		for _, number := range []string{"-1", "-9223372036854775808", "9223372036854775807"} {
			damaged := data[:at[2]] + number + data[at[3]:]
			t.Run(data[max(0, at[2]-20):at[2]]+number, func(t *testing.T) { useDamaged(t, damaged) })
		}
	}
}

// useDamaged opens a damaged session and does with it what a person may do next.
func useDamaged(t *testing.T, data string) {
	s := New(false)
	s.Open(Kept{Data: data}, "")
	computeAll(t, s)
	if s.Computed.shown == nil {
		t.Fatalf("no run: %v", s.Visit.Notice)
	}
	for range 2 {
		s.Prompt.Screen().Lines()
		s.Summary()
		for _, unit := range StepUnits {
			s.Cursor.Forth(unit)
			s.Cursor.Back(unit)
		}
		s.Cursor.Play()
		s.Tick(1000)
		if all := s.Branches.List(); len(all) > 0 {
			s.SwitchTo(all[0].ID)
		}
		computeAll(t, s)
	}
	s.Open(Kept{Data: s.Save()}, "")
}

// TestCommandsBeforeTheStart: a run cannot have them; the others stay.
func TestCommandsBeforeTheStart(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(5000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 4))
	s.Cursor.SeekTo(9000)
	s.Kubectl(command.Scale(s.Computed.Workload(), 6))
	again := New(false)
	again.Open(Kept{Data: strings.Replace(s.Save(), `"at":5000`, `"at":-1`, 1)}, "")
	if again.Computed.shown == nil || len(again.Computed.rec.Commands) != 1 || again.Computed.rec.Commands[0] != s.Computed.rec.Commands[1] {
		t.Errorf("run %v with %+v, want one with the command at 9 s", again.Computed.shown != nil, again.Computed.rec.Commands)
	}
}

// TestALongTextIsSavedOnce: and restored wherever it was.
func TestALongTextIsSavedOnce(t *testing.T) {
	s := New(true)
	text := pods("3") + "# " + strings.Repeat("x", 100_000) + "\n"
	s.Document.Set(text)
	s.Restart()
	computeAll(t, s)
	data := s.Save()
	if len(data) > len(text)+5000 {
		t.Errorf("%d bytes are saved for a text of %d", len(data), len(text))
	}
	again := New(true)
	again.Open(Kept{Data: data}, "")
	if again.Document.Text != text || again.Document.applied != text || again.Computed.rec.Scenario != text {
		t.Errorf("restored %d, %d and %d bytes", len(again.Document.Text), len(again.Document.applied), len(again.Computed.rec.Scenario))
	}
}

// TestALongTextIsSavedAsItIs: what is written in parts is what encoding/json writes at once.
func TestALongTextIsSavedAsItIs(t *testing.T) {
	long := strings.Repeat("# \"scenario\":\"\" <&> \\ 部署 \u2028\t\n", 4000) + "\xff"
	for _, v := range []saved{
		{Recording: engine.Recording{Scenario: long}, savedText: savedText{TextIsRun: true}},
		{Recording: engine.Recording{Scenario: "x", Commands: []engine.Command{{Run: `,"text":""`}}}, savedText: savedText{Text: long}},
		{Recording: engine.Recording{Scenario: long}, savedText: savedText{Text: long + "y"}},
	} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.json(); got != string(want) {
			t.Errorf("%d bytes, want %d; %.80q", len(got), len(want), got)
		}
	}
}
