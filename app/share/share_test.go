package share

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// TestSnippets: titles cannot break out of what they stand in.
func TestSnippets(t *testing.T) {
	p := New(apptest.Session(t))
	p.Look = sharing.View{Tab: "queues", Theme: "dark"}
	p.moment, p.view = true, true
	p.s.Cursor.SeekTo(4000)
	all := p.links("https://rollplay.example/")
	l, err := sharing.Decode(sharing.Fragment(all.URL), scenarios.Text)
	if err != nil || !l.Still || l.T != 4000 || l.Tab != "queues" || l.Theme != "dark" || all.Warning != "" {
		t.Errorf("%+v, %v, %+v", l.View, err, all)
	}
	if !strings.HasPrefix(all.Embed, "https://rollplay.example/embed/#1.") {
		t.Errorf("the embed is at %s", all.Embed)
	}
	all.Title = OneLine("a [b] \\\n\n<c> &\r `\"d\"`|\u2028\u202e")
	for got, want := range map[string]string{
		markdownLink(all): `[a \[b\] \\ &lt;c&gt; &amp; &#96;"d"&#96;&#124; \\u202e](` + all.URL + ")",
		htmlLink(all):     `<a href="` + all.URL + `">a [b] \ &lt;c&gt; &amp; &#96;&quot;d&quot;&#96;| \u202e</a>`,
		iframe(all): `<iframe src="` + strings.Replace(all.Embed, "/embed/", "/embed/?layout=compact&amp;panels=why", 1) + `" title="a [b] \ &lt;c&gt; &amp; &#96;&quot;d&quot;&#96;| \u202e" width="100%" height="480" ` +
			`sandbox="allow-scripts" loading="lazy"></iframe>`,
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestLongLinks: a warning says what makes them long.
func TestLongLinks(t *testing.T) {
	text, script := hardText(3000), hardText(4500)[3000:]
	for _, tt := range []struct {
		l    sharing.Link
		want string
	}{
		{sharing.Link{Draft: text}, "The text makes up 100% of this one, the commands 0%."},
		{sharing.Link{Recording: engine.Recording{Scenario: text, Commands: []engine.Command{{At: 1, Apply: script + "#"}}}}, "The text makes up 67% of this one, the commands 33%."},
	} {
		if got := warning(lang.English, &tt.l, len(apptest.Fragment(t, tt.l))); !strings.HasSuffix(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// hardText is a text that deflate cannot make much shorter.
func hardText(n int) string {
	var b strings.Builder
	for x := uint32(1); b.Len() < n; {
		x = x*1664525 + 1013904223
		b.WriteByte(' ' + byte(x>>24)%90)
	}
	return "# " + b.String() + "\n"
}
