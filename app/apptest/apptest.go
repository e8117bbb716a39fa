// Package apptest is what the tests of the page's packages share.
package apptest

import (
	_ "embed" // the manifest
	"testing"

	goapp "github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
)

// Session is a first visit, computed to the end.
func Session(t testing.TB) *session.Session {
	t.Helper()
	s := session.New(false)
	s.Open(session.Kept{}, "")
	Compute(t, s)
	if s.Run() == nil {
		t.Fatalf("the first scenario does not run: %v, %v", s.Visit.Notice, s.Document.Diagnostics)
	}
	return s
}

// Compute computes a session's run to its end.
func Compute(t testing.TB, s *session.Session) {
	t.Helper()
	for range 100000 {
		if !s.Compute(1000) {
			return
		}
	}
	t.Fatal("the run does not end")
}

// Act gives a kubectl line at a moment, and computes what comes of it.
func Act(t testing.TB, s *session.Session, at int64, line string) {
	t.Helper()
	s.Cursor.SeekTo(at)
	s.Kubectl(line)
	Compute(t, s)
}

// HTML renders a component. Attributes come in no order, so tests look for texts and count elements.
func HTML(c goapp.UI) string { return goapp.HTMLString(c) }

// Find returns the first record at or after virtual ms from for which ok says true.
func Find(t testing.TB, run *engine.Run, from int64, ok func(r engine.Record) bool) int {
	t.Helper()
	for i := max(run.Past().Find(from-1), 0); i < run.Len(); i++ {
		if r := run.Record(i); r.T >= from && ok(r) {
			return i
		}
	}
	t.Fatal("no such record")
	return -1
}

// Fragment is a link as part of an address.
func Fragment(t testing.TB, l link.Link) string {
	t.Helper()
	fragment, err := link.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	return fragment
}

// OwnText is a manifest that no lesson has.
//
//go:embed own.yaml
var OwnText string
