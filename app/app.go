// Package app is the page: go-app components around a plain session. The session holds the recording, the run
// that the engine makes of it, and the cursor on that run; the components draw it and post actions to the root,
// which alone changes it.
package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
)

// Main registers the page for every path, so that the site works under any prefix, and runs it in the browser.
func Main() {
	app.RouteWithRegexp(".*", newPage)
	app.RunWhenOnBrowser()
}

func newPage() app.Composer { return &page{} }

// Langs and PageText are what the pages need that are only read.
func Langs() []string { return lang.Tags() }

// PageText is a message of these pages, in the language of a tag.
func PageText(tag, key string, args ...any) string { return lang.PageText(tag, key, args...) }

// DocsIn returns the address of a page of documentation in the language of a tag.
func DocsIn(tag, address string) string { return lang.Of(tag).Docs(address) }
