package pages

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestExercisesKeepTheirSolution: the texts above the captions of an exercise, which links and search engines show too, have no sentence of
// its solution, in either language. A lesson that is no exercise has its paragraphs there.
func TestExercisesKeepTheirSolution(t *testing.T) {
	exercises := 0
	for _, name := range scenarios.Names() {
		sc, _ := scenario.Parse(scenarios.Text(name))
		for _, lang := range app.Langs() {
			w := wordsOf(sc, lang)
			if len(sc.Goals) == 0 {
				if len(w.Solution) > 0 || w.Summary == "" {
					t.Errorf("%s in %s: solution %q, summary %q", name, lang, w.Solution, w.Summary)
				}
				continue
			}
			exercises++
			told := strings.Join(append([]string{w.Summary}, w.Lesson...), " ")
			if len(w.Solution) == 0 || told != w.Question {
				t.Errorf("%s in %s tells %q above its captions, the solution is %q", name, lang, told, w.Solution)
			}
		}
	}
	if exercises < 20 {
		t.Errorf("only %d pages of exercises", exercises)
	}
}
