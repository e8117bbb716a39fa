package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// watch gathers everything that a page must not do.
type watch struct {
	mu         sync.Mutex
	origin     string // of the site, or several with spaces between; requests to any other are complaints
	complaints []string
	lines      []string // of the console, where a Go program that panics says why
}

// attach listens to the page. The browser's own log holds what scripts cannot see: files that are missing, and what
// the content security policy has refused.
func (w *watch) attach(ctx context.Context) error {
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		return err
	}
	_, err1 := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	_, err2 := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	_, err3 := chromedp.Call(ctx, runtime.Enable, cdp.Empty{})
	_, err4 := chromedp.Call(ctx, inspector.Enable, cdp.Empty{})
	return errors.Join(err1, err2, err3, err4)
}

func (w *watch) setOrigin(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.origin = origin
}

func (w *watch) hear(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		w.add("uncaught exception: %s", thrown(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		w.lines = append(w.lines, arguments(e.Args))
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			w.add("console.%s: %s", e.Type, arguments(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || strings.Contains(e.Entry.Text, "Content Security Policy") {
			w.add("browser: %s (%s)", e.Entry.Text, e.Entry.URL)
		}
	case *inspector.EventTargetCrashed:
		w.add("the page crashed")
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; w.origin != "" && !slices.Contains(strings.Fields(w.origin), origin(u)) && !inPage(u) {
			w.add("request to another origin: %s", u)
		}
	}
}

func (w *watch) add(format string, args ...any) {
	w.complaints = append(w.complaints, fmt.Sprintf(format, args...))
}

func thrown(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

// console returns the first lines of the console.
func (w *watch) console() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.lines[:min(len(w.lines), 40)])
}

// peek returns the complaints so far.
func (w *watch) peek() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.complaints)
}

// take returns the complaints so far and forgets them.
func (w *watch) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.complaints
	w.complaints = nil
	return all
}

// report fails the test for each complaint.
func (w *watch) report(t testing.TB) {
	for _, c := range w.take() {
		t.Error(c)
	}
}

// inPage says whether a URL holds its content, so that nothing is fetched.
func inPage(u string) bool { return strings.HasPrefix(u, "data:") || strings.HasPrefix(u, "blob:") }

func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Scheme + "://" + u.Host
}

func arguments(args []*runtime.RemoteObject) string {
	var parts []string
	for _, a := range args {
		if a.Description != "" {
			parts = append(parts, a.Description)
			continue
		}
		parts = append(parts, string(a.Value))
	}
	return strings.Join(parts, " ")
}
