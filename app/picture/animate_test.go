package picture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

const someLink = "https://rollplay.example/#s=lesson"

// TestAnimated checks the animated picture of every scenario that ships.
func TestAnimated(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			p, again := posterOf(t, name), posterOf(t, name)
			for _, tag := range lang.Tags() {
				l := lang.Lang(tag)
				svg := p.Animated(l, someLink)
				if len(svg) > AnimatedMax || !bytes.Equal(svg, again.Animated(l, someLink)) {
					t.Errorf("%s: %d bytes, or another one the second time", tag, len(svg))
				}
				checkAnimated(t, svg)
				checkScript(t, p, l, p.Played(l))
				checkCaptions(t, p, l, string(svg))
			}
		})
	}
}

// checkScript compares what a player is told with the run: the counts at each frame, and the captions with the time of their rests.
func checkScript(t *testing.T, p *Picture, l lang.Lang, svg []byte) {
	t.Helper()
	var root struct {
		Run string `xml:"data-run,attr"`
	}
	var told script
	if err := errors.Join(xml.Unmarshal(svg, &root), json.Unmarshal([]byte(root.Run), &told)); err != nil {
		t.Fatal(err)
	}
	for _, f := range p.frames {
		n := 0
		for n+1 < len(told.Counts) && told.Counts[n+1][0] <= f.T {
			n++
		}
		if now := told.Counts[n]; now[1] != int64(f.Total) || now[2] != int64(f.Available) {
			t.Fatalf("at %d ms a player is told %v, the run has %d and %d", f.T, now, f.Total, f.Available)
		}
	}
	all := told.Motion + restAtEnd
	for i, c := range told.Captions {
		if all += c.Rest; c.Text != l.In(p.captions[i].Text) || c.Asks != (p.captions[i].Ask != nil) {
			t.Errorf("caption %d is %+v", i, c)
		}
	}
	if want := newClock(p.begin, p.end, p.captions, l).all(); all != want {
		t.Errorf("a player is told %d ms, the picture moves %d", all, want)
	}
}

// checkAnimated parses an animated picture: it must be harmless, and say what it is.
func checkAnimated(t *testing.T, svg []byte) {
	t.Helper()
	var elements []string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements = append(elements, start.Name.Local)
		if !slices.Contains([]string{"svg", "title", "desc", "metadata", "style", "a", "g", "path", "text"}, start.Name.Local) {
			t.Errorf("there is an element <%s>", start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") || strings.Contains(a.Value, "NaN") || a.Name.Local == "href" && a.Value != someLink {
				t.Errorf("<%s> has %s=%q", start.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
	for _, want := range []string{"title", "desc", "metadata", "a"} {
		if !slices.Contains(elements, want) {
			t.Errorf("there is no <%s>", want)
		}
	}
}

var frameOf = regexp.MustCompile(`([\d.]+)%\{`)

// checkCaptions: all of them are in the file, in order, and no keyframe comes before the one in front of it.
func checkCaptions(t *testing.T, p *Picture, l lang.Lang, svg string) {
	t.Helper()
	style, texts, _ := strings.Cut(svg, "</style>")
	for _, c := range p.captions {
		for _, line := range wrap(l.In(c.Text), columnsOf(13)) {
			if !strings.Contains(texts, ">"+escape(line)+"<") {
				t.Errorf("the caption's line %q is missing", line)
			}
		}
	}
	_, style, calm := strings.Cut(style, "@media (prefers-reduced-motion:no-preference){")
	if !calm {
		t.Error("it moves for people who ask for less motion")
	}
	for _, rule := range strings.Split(style, "@keyframes ")[1:] {
		last := -1.0
		for _, m := range frameOf.FindAllStringSubmatch(rule, -1) {
			at, err := strconv.ParseFloat(m[1], 64)
			if err != nil || at < last || at > 100 {
				t.Errorf("%s after %v in %.80s", m[1], last, rule)
			}
			last = at
		}
	}
}

// TestAnimatedNumbers: the first lesson's numbers turn to 13 and 8 when the new image comes.
func TestAnimatedNumbers(t *testing.T) {
	svg := string(posterOf(t, "first-rollout").Animated(lang.English, ""))
	for _, want := range []string{">total 10<", ">total 13<", ">available 8<", ">rev 2 nginx:1.19.1: 5<", ">set image nginx:1.19.1<", "Ten pods in one ReplicaSet."} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if strings.Contains(svg, "<a ") || strings.Contains(svg, "<metadata") || !strings.Contains(svg, `role="img"`) {
		t.Error("there is a link although none was given")
	}
}

// TestAnimatedLongRun: a long run is drawn on a coarser grid instead of with more bytes.
func TestAnimatedLongRun(t *testing.T) {
	rec := engine.Recording{Scenario: scenarios.Text("recreate")}
	for i := range 900 {
		rec.Commands = append(rec.Commands, engine.Command{At: 20_000 + int64(i)*500, Run: fmt.Sprintf("kubectl scale deployment/web --replicas=%d", i*7%90)})
	}
	p := New(play(t, rec), "", Telling)
	if fine, b := p.motion(lang.English, .5).svg(""), p.Animated(lang.English, ""); len(b) > AnimatedMax || len(fine) <= AnimatedMax {
		t.Errorf("%d bytes, of %d on a fine grid", len(b), len(fine))
	}
}

// TestHostileNames: what a stranger writes can neither leave its element nor hide what follows.
func TestHostileNames(t *testing.T) {
	const evil = "</title><script>alert(1)</script>\u202e]]>&\"'"
	run := play(t, engine.Recording{Scenario: scenarios.Text("first-rollout"), Commands: []engine.Command{{At: 12_000, Run: "kubectl set image deployment/nginx-deployment nginx=" + evil}}})
	p := New(run, "", 12_500)
	p.Title = scenario.Text{En: evil}
	p.captions = []scenario.Caption{{At: 9000, Text: scenario.Text{En: evil}}}
	for _, svg := range [][]byte{p.SVG(Light, lang.English), p.Animated(lang.English, someLink)} {
		if text := string(svg); strings.Contains(text, "<script") || strings.Contains(text, "\u202e") {
			t.Errorf("it is not escaped in %s", text)
		}
	}
	checkAnimated(t, p.Animated(lang.English, someLink))
	for _, link := range []string{"javascript:alert(1)", "#s=x", strings.Repeat("https://x.example/", 2000)} {
		if svg := string(p.Animated(lang.English, link)); strings.Contains(svg, "href=") {
			t.Errorf("it leads to %.40s", link)
		}
	}
}

// TestMoment: the cursor is where somebody put it, also outside of what is worth drawing otherwise.
func TestMoment(t *testing.T) {
	run := play(t, engine.Recording{Scenario: scenarios.Text("first-rollout")})
	for at, want := range map[int64]string{0: "At 0 s", 3000: "At 3 s: 10 desired, 10 pods", 10_000: "At 10 s: 10 desired", 17_000: "At 17 s", 25_000: "At 25 s"} {
		p := New(run, "Deployment/default/nginx-deployment", at)
		if got := p.Description(lang.English); !strings.Contains(got, want) || p.begin > at || p.end < at {
			t.Errorf("%d: from %d to %d: %s", at, p.begin, p.end, got)
		}
	}
	if New(run, "Deployment/default/other", 0) != nil {
		t.Error("there is a picture of a workload that is not there")
	}
}

// TestClock works the sum of the comment at clock.at, with two rests at one moment.
func TestClock(t *testing.T) {
	c := &clock{begin: 8000, end: 16_000, motion: 8000, rests: []rest{{10_000, 4000}, {10_000, 1000}}}
	for at, want := range map[int64]int64{0: 0, 8000: 0, 10_000: 2000, 11_000: 8000, 16_000: 13_000, 99_000: 13_000} {
		if got := c.at(at); got != want {
			t.Errorf("at %d: got %d, want %d", at, got, want)
		}
	}
	if c.arrives(0) != 2000 || c.arrives(1) != 6000 || c.all() != 16_000 || c.percent(4000) != "25%" {
		t.Errorf("%d, %d, %d, %s", c.arrives(0), c.arrives(1), c.all(), c.percent(4000))
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string][]string{
		"one two three":    {"one two", "three"},
		"  a\n b ":         {"a b"},
		"":                 nil,
		"abcdefghijklm no": {"abcdefgh", "ijklm no"},
		"一二三四，五六":          {"一二三", "四，五六"},
	} {
		if got := wrap(text, 8); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
