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
	s.SeekTo(9000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	s.SeekTo(12345)
	s.SetSpeed(7)
	s.SetText(s.text + "# not applied yet\n")

	again := New(false)
	again.Open(s.Save())
	computeAll(t, again)
	if !sameRecording(again.rec, s.rec) || again.text != s.text || again.applied != s.applied || again.preset != s.preset {
		t.Error("recording or texts differ after a reload")
	}
	if again.cursor != s.cursor || again.speed != s.speed || again.playing {
		t.Errorf("cursor %v, speed %d, playing %v; want %v, %d, resting", again.cursor, again.speed, again.playing, s.cursor, s.speed)
	}
	if again.run.Len() != s.run.Len() {
		t.Errorf("%d records after a reload, want %d", again.run.Len(), s.run.Len())
	}
}

func TestATextThatDoesNotRunSurvivesAReload(t *testing.T) {
	s := newTestSession(t)
	s.SetText("a: [")
	s.touched = true
	again := New(false)
	again.Open(s.Save())
	if again.text != "a: [" || again.run == nil || again.Errors() == 0 {
		t.Errorf("text %q, run %v, %d errors; want the text, the last good run and its errors", again.text, again.run != nil, again.Errors())
	}
}

func TestDamagedSavesOpenTheFirstScenario(t *testing.T) {
	for _, data := range []string{"{", "null", `{"version":99}`, `{"version":1,"speed":-3,"t":-7,"recording":{"scenario":"a: ["}}`} {
		s := New(false)
		s.Open(data)
		if strings.HasPrefix(data, `{"version":1,`) {
			if s.run != nil || s.speed != 0 {
				t.Errorf("%s: run %v, speed %d; want no run and a speed that exists", data, s.run != nil, s.speed)
			}
			continue
		}
		if s.preset != FirstScenario {
			t.Errorf("%s: preset %q, want %s", data, s.preset, FirstScenario)
		}
	}
}

func TestTheRunOnShowStaysUntilTheNextHasCaughtUp(t *testing.T) {
	s := newTestSession(t)
	s.ToEnd()
	shown := s.run
	next, _ := startRun(t, s.rec)
	s.next = next
	s.adopt()
	if s.run != shown {
		t.Fatal("a run that is behind the cursor is shown")
	}
	s.Tick(1000)
	for s.next != nil {
		s.Compute(1)
	}
	if s.run != next || s.run.Now() < s.cursor.T {
		t.Errorf("shown run is computed to %d, cursor at %d", s.run.Now(), s.cursor.T)
	}
}

func TestHowOneMovesInTimeSurvivesAReload(t *testing.T) {
	s := newTestSession(t)
	s.SetFactor(1000)
	s.SetStep(ByMoment)
	loopOver(s, 2000, 5000)
	again := New(false)
	again.Open(s.Save())
	if SpeedText(again.speed) != "1000×" || again.step != ByMoment || again.loop != (Loop{A: 2000, B: 5000, Set: LoopOn}) {
		t.Errorf("speed %s, steps by %s, loop %+v", SpeedText(again.speed), again.step, again.loop)
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
		if err := s.Restore(data); err != nil || SpeedText(s.speed) != want || s.step != byReconcile {
			t.Errorf("%s: %v, speed %s, steps by %s; want %s", data, err, SpeedText(s.speed), s.step, want)
		}
	}
	s := New(false)
	if err := s.Restore(`{"version":1,"loop":{"a":9,"b":3,"set":2}}`); err != nil || s.loop != (Loop{}) {
		t.Errorf("%v: a damaged loop is %+v", err, s.loop)
	}
}

// TestEveryNumberMayBeDamaged: each number of a saved session, forks and terminal included, is replaced by one that Save never
// writes. Whatever is restored of it can be played, read and left for another run.
func TestEveryNumberMayBeDamaged(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(5000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	s.SeekTo(3000)
	s.Kubectl("kubectl rollout restart deployment/nginx-deployment") // the runs without and with the scale are forks
	s.Type("kubectl get pods -w")
	s.ToggleLoop()
	data := s.Save()
	if len(s.forks) != 2 || !strings.Contains(data, `"at":3000`) || !strings.Contains(data, `"at":5000`) {
		t.Fatalf("%d forks, want 2, one with a command", len(s.forks))
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
	s.Open(data)
	computeAll(t, s)
	if s.run == nil {
		t.Fatalf("no run: %v", s.notice)
	}
	for range 2 {
		s.Screen().Lines()
		s.Summary()
		for _, unit := range StepUnits {
			s.Forth(unit)
			s.Back(unit)
		}
		s.Play()
		s.Tick(1000)
		s.SwitchTo(0)
		computeAll(t, s)
	}
	s.Open(s.Save())
}

// TestCommandsBeforeTheStart: a run cannot have them; the others stay.
func TestCommandsBeforeTheStart(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(5000)
	s.Kubectl(command.Scale(s.Workload(), 4))
	s.SeekTo(9000)
	s.Kubectl(command.Scale(s.Workload(), 6))
	again := New(false)
	again.Open(strings.Replace(s.Save(), `"at":5000`, `"at":-1`, 1))
	if again.run == nil || len(again.rec.Commands) != 1 || again.rec.Commands[0] != s.rec.Commands[1] {
		t.Errorf("run %v with %+v, want one with the command at 9 s", again.run != nil, again.rec.Commands)
	}
}

// TestALongTextIsSavedOnce: and restored wherever it was.
func TestALongTextIsSavedOnce(t *testing.T) {
	s := New(true)
	text := pods("3") + "# " + strings.Repeat("x", 100_000) + "\n"
	s.SetText(text)
	s.Restart()
	computeAll(t, s)
	data := s.Save()
	if len(data) > len(text)+5000 {
		t.Errorf("%d bytes are saved for a text of %d", len(data), len(text))
	}
	again := New(true)
	again.Open(data)
	if again.text != text || again.applied != text || again.rec.Scenario != text {
		t.Errorf("restored %d, %d and %d bytes", len(again.text), len(again.applied), len(again.rec.Scenario))
	}
}

// TestALongTextIsSavedAsItIs: what is written in parts is what encoding/json writes at once.
func TestALongTextIsSavedAsItIs(t *testing.T) {
	long := strings.Repeat("# \"scenario\":\"\" <&> \\ 部署 \u2028\t\n", 4000) + "\xff"
	for _, v := range []saved{
		{Recording: engine.Recording{Scenario: long}, TextIsRun: true},
		{Recording: engine.Recording{Scenario: "x", Commands: []engine.Command{{Run: `,"text":""`}}}, Text: long},
		{Recording: engine.Recording{Scenario: long}, Text: long + "y"},
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
