package main

import (
	"fmt"
	"time"

	"github.com/rollplay/rollplay/engine/words"
)

// paceAfter is how long runs are computed before their pace is known.
const paceAfter = time.Second

// progress describes how far a command is, and how long it still takes at its pace.
func (w *watch) progress() string {
	took := w.now().Sub(w.began)
	done, all := w.done.Load(), w.total.Load()+w.expected.Load()
	text := fmt.Sprintf("%d s", int(took.Seconds()))
	if all > 0 {
		text = fmt.Sprintf("%d of %s, %s", done, words.Plural(int(all), "run"), text)
	}
	if left, known := w.left(); known {
		text += ", about " + left.String() + " left"
	}
	return text
}

// left estimates the time that the runs take that are not finished.
func (w *watch) left() (time.Duration, bool) {
	done := w.done.Load()
	first := w.firstRun.Load()
	if first == nil || done == 0 || w.now().Sub(*first) < paceAfter {
		return 0, false
	}
	each := float64(w.now().Sub(*first)) / float64(done)
	return time.Duration(each * float64(w.total.Load()+w.expected.Load()-done)).Round(time.Second), true
}

// foresee says once that the runs will take longer than the command may, as soon as their pace is known.
func (w *watch) foresee() {
	left, known := w.left()
	took := w.now().Sub(w.began)
	if !known || took+left <= w.timeout {
		return
	}
	w.foreseen.Do(func() {
		w.says(fmt.Sprintf("%s take about %v, and --timeout is %v: raise it, or ask for less",
			words.Plural(int(w.total.Load()+w.expected.Load()), "run"), (took + left).Round(time.Second), w.timeout))
	})
}
