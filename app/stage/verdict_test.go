package stage

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/scenarios"
)

// recounted is what a run shows from a moment on, counted from its frames, millisecond by millisecond in thought: without the forecast.
type recounted struct {
	lowest, lowestOf int
	below, zero      int64
	down             int64 // ms without a pod now, in one piece; -1 if there is one, or was none yet
	now, desired     int
	finished         bool
}

// recount counts the frames of a workload between two moments.
func recount(s *session.Session, from int64) (r recounted) {
	frames, to := s.Run().Frames(s.Workload()), s.Cursor.T
	worst, up, downSince := 2.0, false, int64(-1)
	for i, f := range frames {
		if f.Record > s.Cursor.Record || f.T > to {
			break
		}
		end, last := to, i+1 == len(frames) || frames[i+1].Record > s.Cursor.Record || frames[i+1].T > to
		if !last {
			end = frames[i+1].T
		}
		up = up || f.Available > 0
		switch {
		case !up || f.Available > 0 || f.Desired == 0:
			downSince = -1
		case downSince < 0:
			downSince = f.T
		}
		if r.down = -1; downSince >= 0 {
			r.down = to - downSince
		}
		if r.now, r.desired, r.finished = f.Available, f.Desired, f.Complete(); f.Desired == 0 || end < from {
			continue
		}
		long := end - max(f.T, from)
		if part := float64(f.Available) / float64(f.Desired); part < worst && (long > 0 || last) {
			worst, r.lowest, r.lowestOf = part, f.Available, f.Desired
		}
		if f.Available < f.Desired {
			r.below += long
		}
		if f.Available == 0 && up {
			r.zero += long
		}
	}
	return r
}

// claims are the sentences that carry numbers. A claim says why it is wrong.
var claims = []struct {
	is    *regexp.Regexp
	wrong func(n []string, r recounted) bool
}{
	{regexp.MustCompile(`^All (\d+) stayed available\.$`), func(n []string, r recounted) bool {
		return n[0] != strconv.Itoa(r.now) || r.now != r.desired || r.below != 0 || r.lowest != r.lowestOf
	}},
	{regexp.MustCompile(`^At worst (\d+) of (\d+) were available; fewer than desired for ([\d.]+) (s|min)\.$`), func(n []string, r recounted) bool {
		return n[0] != strconv.Itoa(r.lowest) || n[1] != strconv.Itoa(r.lowestOf) || !lasts(n[2], n[3], r.below) || r.zero > 0
	}},
	{regexp.MustCompile(`^Down for ([\d.]+) (s|min) so far \(0 of (\d+)\)\.`), func(n []string, r recounted) bool {
		return r.now != 0 || n[2] != strconv.Itoa(r.desired) || !lasts(n[0], n[1], max(r.zero, r.down))
	}},
	{regexp.MustCompile(`^It was down for ([\d.]+) (s|min); now (\d+) of (\d+) are available\.$`), func(n []string, r recounted) bool {
		return r.zero == 0 || !lasts(n[0], n[1], r.zero) || n[2] != strconv.Itoa(r.now) || n[3] != strconv.Itoa(r.desired)
	}},
	{regexp.MustCompile(`(\d+) of (\d+) are available\.$`), func(n []string, r recounted) bool {
		return n[0] != strconv.Itoa(r.now) || n[1] != strconv.Itoa(r.desired)
	}},
}

// lasts says whether a written duration is that of some ms.
func lasts(n, unit string, ms int64) bool {
	if unit == "min" {
		return n == strconv.FormatInt(ms/60_000, 10)
	}
	v, err := strconv.ParseFloat(n, 64)
	return err == nil && v*1000-50 <= float64(ms) && float64(ms) <= v*1000+50
}

// judgeVerdict returns what is wrong with a sentence, "" if nothing is, and whether it made a claim.
func judgeVerdict(s *session.Session, what, state string) (wrong string, claimed bool) {
	from := int64(0)
	if frames := s.Run().Frames(s.Workload()); len(frames) > 0 {
		from = frames[0].T
	}
	for i := range s.Cursor.Record + 1 {
		if r := s.Run().Record(i); r.Kind == engine.Input && r.T > 0 && !r.Failed {
			from = max(from, r.T)
		}
	}
	r := recount(s, from)
	d := diagnosis.Of(s.Run().Past(), s.Workload(), s.Cursor.Record, s.Cursor.T)
	if d.State == diagnosis.StateGone {
		return "", false
	}
	if (r.down >= 0) != (state == "down") {
		return fmt.Sprintf("the state is %s with %+v", state, r), true
	}
	for _, sure := range []string{" stayed available.", "At worst ", "It was down"} {
		if strings.Contains(what, sure) && d.State != diagnosis.StateComplete {
			return "it sounds finished, and the diagnosis is " + d.Title, true
		}
	}
	if strings.Contains(what, "reported success") && !r.complete(s) {
		return "no rollout was complete", true
	}
	for _, c := range claims {
		if n := c.is.FindStringSubmatch(what); n != nil {
			if c.wrong(n[1:], r) {
				return fmt.Sprintf("counted: %+v", r), true
			}
			return "", true
		}
	}
	return "", false
}

// complete says whether a frame by the cursor was complete.
func (recounted) complete(s *session.Session) bool {
	for _, f := range s.Run().Frames(s.Workload()) {
		if f.Record <= s.Cursor.Record && f.T <= s.Cursor.T && f.Complete() {
			return true
		}
	}
	return false
}

// newcomers are actions of people who press what they see.
func newcomers(s *session.Session, p *Panels, random *rand.Rand) {
	w := s.Workload()
	c := p.controls()
	switch random.IntN(6) {
	case 0:
		if line := c.lineOf("image"); line != "" {
			s.Control(func() { s.Kubectl(line) })
		}
	case 1:
		s.Control(func() { s.Kubectl(command.Scale(w, 1+random.IntN(9))) })
	case 2:
		s.Control(func() { s.Kubectl(command.Rollout(w, "undo")) })
	default:
		if all := c.damages(); len(all) > 0 {
			if d := all[random.IntN(len(all))]; d.Off == "" {
				s.Control(func() { BreakIt(s, d.Damage) })
			}
		}
	}
}

// TestVerdictIsTrue plays newcomers' actions over the lessons, and recounts every sentence at many moments.
func TestVerdictIsTrue(t *testing.T) {
	said := map[string]int{}
	for i, name := range scenarios.Names() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		s := apptest.Session(t)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		p := New(s, false)
		for range 2 {
			newcomers(s, p, random)
			apptest.Compute(t, s)
			if s.Workload() == "" {
				break
			}
			for k := range 12 {
				s.Cursor.SeekTo(s.End() * int64(k+1) / 12)
				p.diagnosed = diagnosed{}
				v := p.verdict()
				wrong, claimed := judgeVerdict(s, v.what, v.state)
				if wrong != "" {
					t.Errorf("%s at %d ms, %v: %q, %s", name, s.Cursor.T, s.Recording().Commands, v.what, wrong)
				}
				if claimed {
					said[strings.Fields(v.what)[0]]++
				}
			}
		}
	}
	least := 5
	if testing.Short() {
		least = 2
	}
	for _, word := range []string{"All", "At", "Down", "It"} {
		if said[word] < least {
			t.Errorf("only %d sentences begin with %q: %v", said[word], word, said)
		}
	}
}

// TestVerdictJudgeCatches: the judge notices each kind of wrong sentence.
func TestVerdictJudgeCatches(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("recreate")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p := New(s, false)
	good := p.verdict()
	if wrong, claimed := judgeVerdict(s, good.what, good.state); wrong != "" || !claimed || !strings.HasPrefix(good.what, "It was down") {
		t.Fatalf("%q: %s", good.what, wrong)
	}
	sc := p.score()
	for name, lie := range map[string]func(*score){
		"without the outage":       func(sc *score) { sc.AtZero = 0 },
		"as if all had stayed":     func(sc *score) { sc.AtZero, sc.BelowDesired = 0, 0; sc.Lowest = sc.LowestOf },
		"with a longer outage":     func(sc *score) { sc.AtZero += 1000 },
		"with other pods":          func(sc *score) { sc.Serving-- },
		"as if it were still down": func(sc *score) { sc.Down = true },
	} {
		wrong := sc
		lie(&wrong)
		what := p.sentence(&wrong, &diagnosis.Diagnosis{State: diagnosis.StateComplete, Title: "x"})
		if complaint, _ := judgeVerdict(s, what, good.state); complaint == "" {
			t.Errorf("the judge believes the sentence %s: %q", name, what)
		}
	}
	if complaint, _ := judgeVerdict(s, good.what, "down"); complaint == "" {
		t.Error("the judge believes the state")
	}
	s.Cursor.SeekTo(sc.From + 500)
	if complaint, _ := judgeVerdict(s, "All 10 stayed available.", "moving"); complaint == "" {
		t.Error("the judge believes a sentence that sounds finished")
	}
}

// TestVerdictOfNow: a rollout that was over before the last command is not the command's, a pause does not keep lost pods away, and the
// autoscaler of another namespace is not this workload's.
func TestVerdictOfNow(t *testing.T) {
	page := func(ms int64, lines ...string) verdict {
		return at(t, texts.World(`{match: "*:bad", pull: fails}`+"\n"+texts.Quick, "replicas: 3", "image: web:1", lines...), ms).verdict()
	}
	if v := page(60_000, `{at: 20s, run: kubectl scale deployment/web --replicas=0}`, `{at: 40s, run: kubectl set image deployment/web web=web:bad}`,
		`{at: 50s, run: kubectl scale deployment/web --replicas=2}`); strings.Contains(strings.Join(v.parts, " "), "finished") {
		t.Errorf("%q %q", v.what, v.parts)
	}
	if v := page(30_000, `{at: 20s, run: kubectl annotate deployment/web a=b}`); len(v.parts) != 2 {
		t.Errorf("after a command that rolls nothing out: %q", v.parts)
	}
	if v := page(40_100, `{at: 20s, run: kubectl set image deployment/web web=web:2}`, `{at: 20500ms, run: kubectl rollout pause deployment/web}`,
		`{at: 40s, run: kubectl delete pods --all}`); !strings.HasPrefix(v.what, "Down for") || strings.Contains(v.what, "will not fix") {
		t.Errorf("while old ReplicaSets replace their pods: %q", v.what)
	}
	scaler := "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: %s}\nspec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
	text := strings.Replace(texts.World(texts.Quick, "replicas: 3", "image: web:1, resources: {requests: {cpu: 100m}}"), "spec:\n", "spec:\n  load: [{at: 1s, of: deployment/web, cpu: 300m}]\n", 1)
	if v := at(t, text+fmt.Sprintf(scaler, "blue")+fmt.Sprintf(scaler, "default"), 60_000).verdict(); strings.Count(strings.Join(v.parts, " "), "HPA") != 1 {
		t.Errorf("the autoscalers are %q", v.parts)
	}
}
