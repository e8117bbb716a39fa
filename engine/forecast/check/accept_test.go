package check_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

// annotated is web with an annotation for findings to ignore.
func annotated(ignore, fields string) string {
	return strings.Replace(web(fields, ""), "{name: web}\nspec", fmt.Sprintf("\n  name: web\n  annotations:\n    rollplay.dev/ignore: %q\nspec", ignore), 1)
}

// TestIgnore: an annotation takes the findings of its rules from the verdict, until its last day is over. Mistakes in it are findings.
func TestIgnore(t *testing.T) {
	for _, tt := range []struct {
		ignore  string
		verdict check.Verdict
		states  []string
		says    string
	}{
		{"available a queue holds the requests", check.Pass, []string{"used"}, ""},
		{"available a queue holds the requests until 2026-11-25", check.Pass, []string{"used"}, ""},
		{"available a queue holds the requests until 2026-11-24", check.Fail, []string{"expired"}, "for available has ended on 2026-11-24"},
		{"available,duration slow; cpu\tidle until 2027-01-31\nmemory old", check.Pass, []string{"used", "idle", "idle", "idle"}, ""},
		{"available wait until somebody is awake", check.Pass, []string{"used"}, ""},
		{"available", check.Fail, []string{"wrong"}, "gives no reason for available"},
		{"available until 2027-01-31", check.Fail, []string{"wrong"}, "gives no reason"},
		{"available x until 2027-02-31", check.Fail, []string{"wrong"}, "has no such day: until 2027-02-31"},
		{"availabel a typo", check.Fail, []string{"idle"}, `the rule "availabel", which does not exist; did you mean available?`},
		{"everything it is old", check.Fail, []string{"idle"}, "the rules are accepted, completes, "},
		{" ;\n", check.Fail, nil, ""},
		{"duration the wrong one", check.Fail, []string{"idle"}, ""},
	} {
		r := reportOf(t, check.Input{New: annotated(tt.ignore, "replicas: 4"), Seeds: 1, Today: "2026-11-25",
			Policy: check.Policy{Limits: check.Limits{MinAvailable: "100%"}}})
		var states []string
		for _, g := range r.Ignores {
			states = append(states, g.State)
			if g.Object != "deployment/web" || g.Line != 7 {
				t.Errorf("%q: %+v", tt.ignore, g)
			}
		}
		said := slices.ContainsFunc(r.Findings, func(f check.Finding) bool {
			return f.Check == "ignore" && strings.Contains(f.Text, tt.says) && f.Line == 7
		})
		if r.Verdict != tt.verdict || !slices.Equal(states, tt.states) || said != (tt.says != "") {
			t.Errorf("%q: %s, %q, want %s, %q, %q\n%+v", tt.ignore, r.Verdict, states, tt.verdict, tt.states, tt.says, r.Findings)
		}
		if f := find(t, r, "available", "deployment/web"); (f.Accepted != nil) != (tt.verdict == check.Pass) || f.Verdict != check.Fail {
			t.Errorf("%q: %+v", tt.ignore, f)
		}
	}
}

// TestIgnoreString: an ignore for a summary has its reason and last day, and what is wrong with it unless it is used.
func TestIgnoreString(t *testing.T) {
	for want, g := range map[string]check.Ignore{
		"deployment/web: outage: a queue":                             {Reason: "a queue", State: "used"},
		"deployment/web: outage: a queue, until 2027-01-31 (expired)": {Reason: "a queue", Until: "2027-01-31", State: "expired"},
	} {
		g.Object, g.Rule = "deployment/web", "outage"
		if got := g.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBaseline: what a baseline has is accepted, until it gets worse; entries that nothing needs are named.
func TestBaseline(t *testing.T) {
	limits := check.Policy{Limits: check.Limits{MinAvailable: "100%"}}
	judged := func(unavailable string) *check.Report {
		return reportOf(t, check.Input{New: web("replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: "+unavailable+"}}", ""), Seeds: 2, Policy: limits})
	}
	text, err := json.Marshal(judged("2").Baseline())
	if err != nil {
		t.Fatal(err)
	}
	for unavailable, want := range map[string]check.Verdict{"1": check.Pass, "2": check.Pass, "3": check.Fail} {
		b, err := check.ReadBaseline(string(text))
		if err != nil || len(b.Entries) != 1 {
			t.Fatal(err, b)
		}
		r := judged(unavailable)
		if r.Verdict != check.Fail {
			t.Errorf("maxUnavailable %s: %s without a baseline", unavailable, r.Verdict)
		}
		r.Accept(b)
		if r.Verdict != want || (len(r.Notes) > 0) != (want == check.Fail) {
			t.Errorf("maxUnavailable %s: %s, %q, want %s", unavailable, r.Verdict, r.Notes, want)
		}
	}
	shrunk := reportOf(t, check.Input{New: web("replicas: 10\n  strategy: {rollingUpdate: {maxUnavailable: 6}}", ""), Seeds: 2, Policy: limits})
	half, _ := check.ReadBaseline(string(text))
	if shrunk.Accept(half); shrunk.Verdict != check.Fail {
		t.Errorf("4 of 10 is no worse than 2 of 4: %+v", shrunk.Findings[0])
	}
	b := &check.Baseline{Version: 1, Entries: []check.BaselineEntry{{Rule: "available", Object: "deployment/other", Worse: 1}}}
	r := judged("2")
	if r.Accept(b); r.Verdict != check.Fail || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "1 entry that nothing needs: deployment/other available") {
		t.Errorf("%s %q", r.Verdict, r.Notes)
	}
	for _, wrong := range []string{"", "[]", "{}", `{"rollplayBaseline": 2}`} {
		if _, err := check.ReadBaseline(wrong); err == nil || !strings.Contains(err.Error(), "--write-baseline") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// TestBaselineSlack: a time may be a tenth longer than in the baseline, because other manifests draw other random numbers.
func TestBaselineSlack(t *testing.T) {
	for factor, want := range map[float64]check.Verdict{1.05: check.Pass, 1.2: check.Fail} {
		r := reportOf(t, check.Input{New: web("replicas: 4", ""), Seeds: 2, Policy: check.Policy{Limits: check.Limits{MaxDuration: "1s"}}})
		r.Accept(&check.Baseline{Version: 1, Entries: []check.BaselineEntry{{Rule: "duration", Object: "deployment/web",
			Worse: float64(r.Numbers[0].P95) / factor}}})
		if r.Verdict != want {
			t.Errorf("%g times as long: %s, want %s", factor, r.Verdict, want)
		}
	}
}

// TestOnlyWorse: what is deployed now may have the same fault; a larger one counts.
func TestOnlyWorse(t *testing.T) {
	limits := check.Policy{Limits: check.Limits{MinAvailable: "100%", MaxDuration: "1s", MaxPods: "4"}}
	of := func(unavailable int, image string) string {
		text := web(fmt.Sprintf("replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: %d, maxSurge: 1}}", unavailable), "")
		return strings.Replace(text, "web:1", image, 1)
	}
	for unavailable, want := range map[int]check.Verdict{1: check.Pass, 2: check.Pass, 3: check.Fail} {
		base := reportOf(t, check.Input{New: of(2, "web:1"), Seeds: 2, Policy: limits})
		r := reportOf(t, check.Input{Old: of(2, "web:1"), New: of(unavailable, "web:2"), Seeds: 2, Policy: limits})
		r.OnlyWorse(base)
		for _, f := range r.Findings {
			if f.Check == "available" && (f.Accepted == nil) != (want == check.Fail) || f.Accepted != nil && f.Accepted.By != check.ByBase {
				t.Errorf("maxUnavailable %d: %+v", unavailable, f)
			}
		}
	}
}
