// Package app is the page: go-app components around a plain session. The session holds the recording, the run
// that the engine makes of it, and the cursor on that run; the components draw it and post actions to the root,
// which alone changes it.
package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Main registers the page for every path, so that the site works under any prefix, and runs it in the browser.
func Main() {
	app.RouteWithRegexp(".*", newPage)
	app.RunWhenOnBrowser()
}

func newPage() app.Composer { return &page{} }
