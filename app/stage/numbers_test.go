package stage

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestCaptionNumbers: each number that a caption names is on the screen at that moment, or comes from the scenario's text, or is in a
// sum over such numbers that adds up.
func TestCaptionNumbers(t *testing.T) {
	for _, name := range scenarios.Names() {
		s := session.New(false)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		p := New(s, false)
		for _, lang := range []string{"en", "zh"} {
			s.Visit.SetLang(lang)
			for _, c := range s.Run().Scenario().Captions {
				s.Cursor.SeekTo(c.At)
				text := c.Text.In(lang)
				for _, n := range p.unseen(text, c.At) {
					t.Errorf("%s, %s at %d ms: nothing shows the %s of: %s", name, lang, c.At, n, text)
				}
				p.checkWrong(t, name, lang, c)
			}
		}
	}
}

// inSeconds finds times.
var inSeconds = regexp.MustCompile(`(\d+(?:[.,]\d+)*)(?: (?:m?s|minutes)\b| ?(?:毫秒|秒|分钟))`)

// otherEdits are those that the text of a prepared edit compares it with.
var otherEdits = map[string]scenario.Try{"quota": {From: `{pods: "10"}`, To: `{pods: "11"}`}}

// notMeasured are times that neither a text nor the moments of a run have: values of Kubernetes and of other programs, and the life of a container.
var notMeasured = map[string]bool{
	"ci-against-hpa 15":   true, // s between two checks of an autoscaler
	"healthy-too-late 15": true, // s until a load balancer has checked a new pod
	"liveness-kills 14":   true, // s from the start of the container to the third failed probe
	"node-dies 5":         true, // minutes of the toleration that every pod has
	"node-dies 50":        true, // s after which a lease is too old
	"node-dies 300":       true, // s: the same 5 minutes
	"quota 5":             true, // ms before the first retry of a controller
	"quota 1000":          true, // s before its last ones
	"wait-gives-up 5":     true, // minutes that helm waits
}

// TestTimes: each time in a lesson, its question and the text of its prepared edit is in the manifests and commands, or is measured in the run, or
// in the run with the edit, or in the run that it is compared with.
func TestTimes(t *testing.T) {
	seen := 0
	for _, name := range scenarios.Names() {
		text := scenarios.Text(name)
		sc, _ := scenario.Parse(text)
		b := plainText(text) + measured(text)
		for _, c := range sc.Captions {
			b += spans(c.At)
		}
		texts := []scenario.Text{sc.Question, sc.Lesson}
		if sc.Try != nil {
			other := otherEdits[name]
			texts = append(texts, sc.Try.Text)
			b += spans(sc.Try.At) + plainText(sc.Try.Apply(text)) + measured(sc.Try.Apply(text)) + measured(other.Apply(text))
		}
		shown := number.FindAllString(b, -1)
		for _, said := range texts {
			for _, in := range []string{said.En, said.Zh} {
				for _, m := range inSeconds.FindAllStringSubmatch(in, -1) {
					n := strings.ReplaceAll(m[1], ",", "")
					if seen++; !slices.Contains(shown, n) && !notMeasured[name+" "+n] {
						t.Errorf("%s: nothing takes the %s of: %s", name, m[0], in)
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d times were seen: this test has become blind", seen)
	}
}

// measured writes when the conditions of a run's workloads changed, when rollouts were complete and outages over, and how long after each command.
func measured(text string) string {
	run, _ := engine.Start(engine.Recording{Scenario: text})
	run.Finish()
	var moments []int64
	for _, workload := range run.Workloads() {
		for _, strip := range run.Past().Conditions(workload) {
			for _, segment := range strip.Segments {
				moments = append(moments, segment.From)
			}
		}
		frames := run.Frames(workload)
		for i := range frames {
			if i > 0 && (frames[i].Complete() && !frames[i-1].Complete() || frames[i].Available > 0 && frames[i-1].Available == 0) {
				moments = append(moments, frames[i].T)
			}
		}
	}
	var b strings.Builder
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == engine.Input {
			for _, at := range moments {
				b.WriteString(spans(at - r.T))
			}
		}
	}
	return b.String()
}

// TestNumbersOfTheMoment: the legend counts the pods that are available at the cursor, also where they become so without a record, because
// minReadySeconds have passed: the next record may come many seconds later.
func TestNumbersOfTheMoment(t *testing.T) {
	for _, name := range scenarios.Names() {
		s := session.New(false)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		p, frames := New(s, false), s.Run().Frames(s.Workload())
		for i, f := range frames[1:] {
			if before := frames[i]; before.T < f.T-1 {
				s.Cursor.SeekTo(f.T - 1)
				if got := p.legend(s.Run(), s.Cursor.Place)[1].Value; got != strconv.Itoa(before.Available) {
					t.Errorf("%s at %d ms: the legend has %s available, not %d", name, f.T-1, got, before.Available)
				}
			}
		}
	}
}

// checkWrong: the sentences about wrong answers have such numbers too, at the moment of the answer or of the question.
func (p *Panels) checkWrong(t *testing.T, name, lang string, c scenario.Caption) {
	t.Helper()
	if c.Ask == nil {
		return
	}
	texts := map[string]bool{}
	for n := range max(len(c.Ask.Choices), 40) {
		texts[c.Ask.Why(n).In(lang)] = true
	}
	for text := range texts {
		p.s.Cursor.SeekTo(c.At)
		before := p.unseen(text, c.At)
		p.s.Cursor.SeekTo(c.Ask.At)
		for _, n := range p.unseen(text, c.Ask.At) {
			if slices.Contains(before, n) {
				t.Errorf("%s, %s at %d ms: nothing shows the %s of: %s", name, lang, c.Ask.At, n, text)
			}
		}
	}
}

// TestUnseen: numbers that nothing shows are found, and sums must add up.
func TestUnseen(t *testing.T) {
	s := apptest.Session(t)
	p := New(s, false)
	s.Cursor.SeekTo(10_100)
	for text, want := range map[string]string{
		"8 old and 5 new: 13":                       "",
		"77 pods of 10":                             "77",
		"13 - 8 - 5 = 0, 13 - 8 = 47":               "47",
		"25% of 10 is 2.5, the image is 1.19.1":     "",
		"8 left. Your turn: set maxSurge to 77":     "",
		"pod web-99 at 10 s, 8 个旧的，71 个新的":          "71",
		"900 + 13 = 913":                            "900 913",
		"13 pods - 8 needed - 1 old = 4, 0.1 s ago": "",
	} {
		if got := strings.Join(p.unseen(text, 10_100), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

var (
	sum     = regexp.MustCompile(`(\d+)((?: ?[^-+*×/=\d.,;:。，；：]{0,40} ?[-+*×/] ?\d+)+)[^-+=\d.,;:。，；：]{0,40} = (\d+)`)
	operand = regexp.MustCompile(`([-+*×/]) ?(\d+)`)
	named   = regexp.MustCompile(`[A-Za-z]+[A-Za-z0-9]*(-[A-Za-z0-9]+)*-\d+\b|\b[A-Z]+-?\d+\b`)
	quarter = regexp.MustCompile(`%|quarter|四分之一`)
	number  = regexp.MustCompile(`\d+(\.\d+)*`)
)

// defaults are values that hold where a manifest says nothing, and names that are numbers.
var defaults = map[string]bool{
	"300":  true, // tolerationSeconds of every pod, and how long an autoscaler waits before it scales down
	"600":  true, // progressDeadlineSeconds
	"15":   true, // s between two checks of an autoscaler
	"429":  true, // what HTTP calls it
	"1.36": true, // in the menu of versions
}

// unseen lists the numbers of a caption that nothing on the screen shows.
func (p *Panels) unseen(text string, at int64) (missing []string) {
	shown := p.shownNumbers(at)
	text, _, _ = strings.Cut(text, "Your turn") // what follows are values to try
	text, _, _ = strings.Cut(text, "轮到你了")
	for _, m := range sum.FindAllStringSubmatch(text, -1) {
		if terms, ok := adds(m); ok && (shown[m[3]] || all(shown, terms)) {
			text = strings.Replace(text, m[0], "", 1)
			shown[m[3]] = true
		}
	}
	for _, n := range number.FindAllString(named.ReplaceAllString(text, ""), -1) {
		if !shown[n] && !(quarter.MatchString(text) && share(shown, n)) {
			missing = append(missing, n)
		}
	}
	return missing
}

// adds says whether a sum has its result, and returns its terms.
func adds(m []string) (terms []string, ok bool) {
	value, _ := strconv.ParseFloat(m[1], 64)
	terms = []string{m[1]}
	for _, o := range operand.FindAllStringSubmatch(m[2], -1) {
		n, _ := strconv.ParseFloat(o[2], 64)
		terms = append(terms, o[2])
		switch o[1] {
		case "-":
			value -= n
		case "+":
			value += n
		case "/":
			value /= n
		default:
			value *= n
		}
	}
	return terms, strconv.FormatFloat(value, 'f', -1, 64) == m[3]
}

func all(shown map[string]bool, terms []string) bool {
	for _, n := range terms {
		if !shown[n] {
			return false
		}
	}
	return true
}

// share says whether a number is a percentage of the text of a number that is shown: 25% of 10 is 2.5.
func share(shown map[string]bool, n string) bool {
	want, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return false
	}
	for a := range shown {
		of, err := strconv.Atoi(a)
		for _, percent := range []float64{1, 25} {
			if v := float64(of) * percent / 100; err == nil && of > 0 && (v == want || math.Ceil(v) == want || math.Floor(v) == want) {
				return true
			}
		}
	}
	return false
}

// shownNumbers are those that the page shows at the cursor: of the legend, bounds and status of each workload, of the rows below the
// chart, of what kubectl has printed, of the clock and of the time since each command; and those of the text, without its captions.
func (p *Panels) shownNumbers(at int64) map[string]bool {
	run := p.s.Run()
	var b strings.Builder
	before := p.s.Workload()
	for _, workload := range run.Workloads() {
		p.s.Computed.Choose(workload)
		for _, item := range p.legend(run, p.s.Cursor.Place) {
			fmt.Fprintln(&b, item.Label, item.Value)
		}
		upper, lower := p.bounds(run, p.s.Cursor.Place)
		fmt.Fprintln(&b, upper, lower, apptest.HTML(p.Status()))
		sc := p.score()
		b.WriteString(spans(sc.Took) + spans(sc.AtZero) + spans(sc.BelowDesired) + strconv.Itoa(sc.LowestPercent()))
	}
	p.s.Computed.Choose(before)
	for _, row := range p.Strips() {
		for _, segment := range row.Segments {
			if segment.From <= at {
				fmt.Fprintln(&b, segment.Text)
			}
		}
	}
	b.WriteString(spans(at))
	for i := range p.s.Cursor.Record + 1 {
		if r := run.Record(i); r.Kind == engine.Input || r.Kind == engine.Output {
			fmt.Fprintln(&b, r.Command, r.What, spans(at-r.T))
		} else if r.What == "container started" { // in the lane of a pod
			b.WriteString(spans(at - r.T))
		}
	}
	fmt.Fprintln(&b, len(run.Workloads()), plainText(p.s.Document.Text))
	shown := maps.Clone(defaults)
	for _, n := range number.FindAllString(b.String(), -1) {
		shown[n] = true
	}
	return shown
}

// spans writes a time as captions may: to the second, to a tenth, in ms and in minutes.
func spans(ms int64) string {
	if ms < 0 {
		return ""
	}
	s := float64(ms) / 1000
	return fmt.Sprintf(" %.0f %d %.1f %d %.1f ", s, ms/1000, s, ms, s/60)
}

var spoken = regexp.MustCompile(`(?m)^#.*\n|^  (title|question|lesson|captions|links|expect|fields|try):.*\n(^(   |  -).*\n)*`)

// plainText is a scenario's text without what is said about it.
func plainText(text string) string { return spoken.ReplaceAllString(text, "") }
