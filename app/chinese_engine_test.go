package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/scenarios"
)

// ofKubernetes matches what records quote from Kubernetes, and a strategy that is called so in every language.
var ofKubernetes = regexp.MustCompile(`^(The disruption budget |Recreate$|Cannot evict pod |Too many requests)`)

// spoken are sentences of the engine, each with the run that says it.
type spoken map[string]string

func (s spoken) add(run string, texts ...string) {
	for _, text := range texts {
		if text != "" && !ofKubernetes.MatchString(text) && s[text] == "" {
			s[text] = run
		}
	}
}

// run takes what the records of a run say and why, what woke the reconciles, the judgements and the diagnoses.
func (s spoken) run(name string, of *session.Session) {
	run := of.Run()
	for i := range run.Len() {
		r := run.Record(i)
		if r.Kind == engine.Write || r.Kind == engine.Decision || r.Kind == engine.Reconcile {
			s.add(name, r.What)
		}
		if r.Why != nil {
			s.add(name, r.Why.Note)
		}
		if r.Kind == engine.Reconcile {
			for _, w := range run.Past().Sync(i).Wakes {
				s.add(name, session.WakeText(w))
			}
		}
	}
	for _, w := range run.Workloads() {
		for _, v := range of.Reading.Judge().Verdicts(w) {
			s.add(name, v.Text)
		}
		last := int64(-1)
		for i := range run.Len() {
			if _, line := of.Reading.Judge().Line(w, i, run.Past().At(i)); true {
				s.add(name, line)
			}
			if at := run.Past().At(i); at >= last+500 {
				last = at
				s.diagnosis(name, diagnosis.Of(run.Past(), w, i, at))
			}
		}
	}
}

func (s spoken) diagnosis(name string, d *diagnosis.Diagnosis) {
	s.add(name, d.Title)
	for _, f := range d.Findings {
		s.add(name, f.Text, f.Next)
		for _, x := range f.Fix {
			s.add(name, x.Label)
		}
	}
}

// TestEngineSpeaksChinese walks through all lessons and golden traces: every sentence of the engine has its Chinese, in which
// nothing is English but names, Kubernetes' texts and commands (TestEngineList looks at the translations themselves).
func TestEngineSpeaksChinese(t *testing.T) {
	all := spoken{}
	for _, name := range scenarios.Names() {
		s := session.New(true)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		all.run(name, s)
	}
	traces, err := filepath.Glob("../engine/testdata/*.txtar")
	if err != nil || len(traces) < 10 {
		t.Fatalf("%d traces, %v", len(traces), err)
	}
	for _, file := range traces {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := session.New(true)
		s.Document.Set(string(txtar.Parse(text).Files[0].Data))
		s.Restart()
		apptest.Compute(t, s)
		if s.Run() == nil {
			t.Fatalf("%s does not run: %v", file, s.Document.Diagnostics)
		}
		all.run(filepath.Base(file), s)
	}
	for text, run := range all {
		if lang.Chinese.Engine(text) == text {
			t.Errorf("%s: %q is English on the Chinese page", run, text)
		}
	}
	if len(all) < 2500 {
		t.Errorf("only %d sentences were heard: this test has become blind", len(all))
	}
	t.Logf("%d sentences", len(all))
}

// TestNoEnglishOfTheEngine walks through the Chinese page: it shows no sentence of the engine that could be translated, whole or
// behind a name and a colon.
func TestNoEnglishOfTheEngine(t *testing.T) {
	for text, where := range chinesePage(t) {
		if strings.HasSuffix(where, ", events") { // of Kubernetes: its words are also those of a record
			continue
		}
		for _, part := range []string{text, afterColon(text)} {
			if strings.Contains(part, " ") && lang.Chinese.Engine(part) != part {
				t.Errorf("%s: %q is left in English", where, text)
			}
		}
	}
}

// afterColon returns what follows the first colon of a text, "" without one.
func afterColon(text string) string {
	_, rest, _ := strings.Cut(text, ": ")
	return rest
}
