package browser

import "testing"

// TestAnswersDoNotRest: work may give the thread back, but not while the browser waits for an answer, even if Go continues the work in
// the middle of the answer.
func TestAnswersDoNotRest(t *testing.T) {
	check := func(when string, want bool) {
		t.Helper()
		if got := mayRest(); got != want {
			t.Errorf("%s: got %v, want %v", when, got, want)
		}
	}
	check("nothing is under way", false)
	Work(true)
	check("work", true)
	atOnce(func() string { check("an answer for scripts that the work called", false); return "" })
	check("work again", true)
	Work(false)
	atOnce(func() string {
		check("an answer", false)
		Work(true)
		check("work that begins in the middle of an answer", false)
		return ""
	})
	check("the answer has ended", true)
	Work(false)
	if atOnce(func() string { panic("a bug") }); answers != 0 || working != 0 {
		t.Errorf("%d answers and %d pieces of work are left", answers, working)
	}
}
