package browser_test

import (
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScenariosComeLater: a first visit starts without the texts of the scenarios, but lists them all. Without an answer from the server the page
// says so, and the next choice asks again; a link waits for them.
func TestScenariosComeLater(t *testing.T) {
	t.Parallel()
	p := start(t)
	var away atomic.Bool
	asked := make(chan bool, 100) // whether the page had started
	server := httptest.NewServer(under(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(path.Base(r.URL.Path), "scenarios-") {
			asked <- true
			if away.Load() {
				http.NotFound(w, r)
				return
			}
		}
		built.site.Handler().ServeHTTP(w, r)
	})))
	defer server.Close()

	away.Store(true)
	p.look(desktop, "light")
	p.before(`addEventListener("DOMContentLoaded", () => {
		new PerformanceObserver((list) => {
			for (const e of list.getEntries()) if (e.name.includes("scenarios-")) window.askedBefore ??= !document.getElementById("loader").hidden;
		}).observe({ type: "resource", buffered: true });
	})`)
	p.visit(server.URL + prefix)
	p.waitStarted()
	<-asked
	p.wait("the texts to be asked for", `window.askedBefore !== undefined`)
	if eval[bool](p, `window.askedBefore`) {
		t.Error("the page waits for texts that it does not need")
	}
	p.titleMenu()
	p.wait("the list", `document.querySelectorAll('[data-act="lesson-open"]').length > 50`)
	p.lesson("recreate")
	p.wait("the notice", `document.body.innerText.includes("The scenarios could not be loaded: the server answered 404")`)
	away.Store(false)
	p.lesson("recreate")
	p.wait("the scenario", element("status")+`.textContent.includes("Scenario recreate loaded")`)
	p.forgive("404")

	// A link to a scenario, in a browser that has never been here.
	other := start(t)
	other.look(desktop, "light")
	other.do("open the link", chromedp.Navigate(server.URL+prefix+"#s=drain"))
	other.waitStarted()
	other.wait("the lesson", `rollplay.state().records > 0 && document.querySelector('[data-act="scenario"]').dataset.value === "drain"`)
}
