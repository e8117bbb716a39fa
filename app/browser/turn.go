package browser

import "time"

// turn is when the work of the browser's present turn began, as far as it can be known here. The build replaces this file, because
// Go's runtime knows it exactly (web/site/pack/runtime.go).
var turn = time.Now()

// turnSpent is how long the browser's present turn has taken.
func turnSpent() time.Duration { return time.Since(turn) }

// endTurn leaves nothing of the turn to Go's collector: the browser has other work in the same task.
func endTurn() {}

func turnBegins() { turn = time.Now() }
