package browser

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine/breath"
)

// The program works on the browser's only thread. Work that takes longer than a turn of it gives the thread back at a breath,
// and continues in the next turn. Meanwhile everything that wants to change the page waits in go-app's queue, because the
// work holds go-app's own goroutine; a question of JavaScript, which can't wait, gets null and has to be asked again.

// turnMax is how long a piece of work may keep the thread. A frame's own work is shorter, so that it is never broken up. While the page
// opens turns are shorter: browsers compile what runs for the first time, all of it between two breaths.
var turnMax = turnFirst

const turnFirst, turnLater = 8 * time.Millisecond, 20 * time.Millisecond

// Opened ends that: the first run is computed, and the page may show it.
func Opened() {
	if turnMax == turnFirst {
		turnMax = turnLater
		call("opened")
	}
}

var (
	working int  // pieces of work that may give the thread back, one inside the other
	resting bool // the work has given the thread back
	hurried bool // it takes no more breaths in this turn
	answers int  // that the browser waits for

	nextTurn app.Func // begins the next turn; it lives as long as the page
	turns    = make(chan struct{}, 1)
)

func init() {
	if !app.IsServer {
		breath.Host = breathe
	}
}

// Work begins or ends a piece of work that may give the thread back. It must be on go-app's goroutine.
func Work(begins bool) {
	if !begins {
		if working == 1 {
			Part() // what follows, mostly a render
		}
		working--
		return
	}
	if working++; working == 1 {
		turnBegins()
	}
}

// Part gives what follows, which may take long in one piece, a turn of its own, unless this one has just begun. It must be on
// go-app's goroutine.
func Part() {
	if turnSpent() > turnMax/3 {
		Rest()
	}
}

// Draw is called for each element that go-app draws, on go-app's goroutine: a long drawing takes several turns.
func Draw() {
	if turnSpent() >= turnMax {
		Rest()
	}
}

// breathe gives the thread back if the turn has taken long.
func breathe() {
	if mayRest() {
		Draw()
	}
}

// mayRest says that a piece of work is under way that may give the thread back. While the browser waits for an answer it has no other
// turn: to wait for one would stop the page. Go may change between the answer and the work, so each alone does not tell.
func mayRest() bool { return working > 0 && answers == 0 && !resting && !hurried }

// Rest gives the thread back. It must be on go-app's goroutine, in a piece of work. It waits for a task of the browser: a sleep would not do, because
// Go's scheduler returns to the browser only if no timer is due, and collecting garbage takes longer than any short sleep.
func Rest() {
	if resting || hurried || answers > 0 || app.IsServer {
		return
	}
	resting = true
	if nextTurn == nil {
		nextTurn = app.FuncOf(func(app.Value, []app.Value) any { takeTurn(); return nil })
	}
	call("later", nextTurn)
	<-turns
	turnBegins()
	resting = false
}

// takeTurn continues the work in the turn that it waits for, unless it was hurried and has continued before.
func takeTurn() {
	if !hurried {
		turns <- struct{}{}
	}
	hurried = false
}

// Hurry continues work that has given the thread back, to its end and without a breath: Go returns to the browser only when nothing is left
// to do. It is for the last turn of a page that is closed.
func Hurry() {
	if resting && !hurried {
		hurried = true
		turns <- struct{}{}
	}
}

// AtOnce does what can't wait, because the page may be gone in the next turn. It says no where work has given the thread back.
func AtOnce(do func()) bool { return atOnce(func() string { do(); return "" }) != nil }

// atOnce answers the browser, which waits for it: nothing may give the thread back. The answer is null where work has given it back,
// because nothing can be read then; "" is an answer.
func atOnce(answer func() string) (text any) {
	if resting {
		return nil
	}
	answers++
	defer func() {
		endTurn()
		answers--
		if recover() != nil {
			text = "" // a bug in an answer must not end the program
		}
	}()
	return answer()
}
