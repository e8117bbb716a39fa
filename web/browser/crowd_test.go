package browser_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var crowd = flag.Bool("crowd", false, "open more tabs than there are drafts, which takes a minute")

// TestManyTabs: of more tabs than there are drafts each keeps its text, finds it again after a reload, and still answers.
func TestManyTabs(t *testing.T) {
	if !*crowd {
		t.Skip("takes a minute: -args -crowd")
	}
	const many = 23
	first := open(t, desktop, "light", "")
	tabs := []*tab{first}
	for range many - 1 {
		tabs = append(tabs, first.another(""))
	}
	name := func(i int) string { return fmt.Sprintf("shop-%d", i) }
	for i, p := range tabs {
		p.front()
		p.replaceText(strings.ReplaceAll(api, "name: api", "name: "+name(i)))
		p.click("apply")
		p.waitState(fmt.Sprintf("!s.dirty && s.done && s.workload === %q", "Deployment/default/"+name(i)))
	}
	for i, p := range tabs {
		p.front()
		p.do("reload", chromedp.Reload())
		p.waitStarted()
		p.waitState(fmt.Sprintf("s.done && s.workload === %q", "Deployment/default/"+name(i)))
		p.toEnd()
		p.click("scale-more")
		p.waitState("s.commands === 1 && s.done")
	}
	if n := eval[int](first, storedKeys+`.filter((key) => key.startsWith("rollplay/draft/")).length`); n < many {
		t.Errorf("%d drafts are left of %d open ones", n, many)
	}
}
