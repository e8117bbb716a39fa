package link

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// open decodes a link that must be right.
func open(t *testing.T, fragment string) Link {
	t.Helper()
	l, err := Decode(fragment, scenarios.Text)
	if err != nil {
		t.Fatalf("%.80s: %v", fragment, err)
	}
	return l
}

// encode encodes what can be encoded.
func encode(t *testing.T, l Link) string {
	t.Helper()
	fragment, err := Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	return fragment
}

// roundTrip fails unless a link opens to what it was made of.
func roundTrip(t *testing.T, l Link) string {
	t.Helper()
	fragment := encode(t, l)
	if got := open(t, fragment); !reflect.DeepEqual(got, l) {
		t.Fatalf("%s\ngot  %+v\nwant %+v", fragment, got, l)
	}
	if !Is(fragment) || !Is("#"+fragment) {
		t.Errorf("%s does not look like a link", fragment)
	}
	return fragment
}

func preset(name string) Link {
	return Link{Preset: name, Recording: engine.Recording{Scenario: scenarios.Text(name)}}
}

var someCommands = []engine.Command{
	{At: 12000, Run: "kubectl set image deployment/nginx-deployment nginx=nginx:1.27"},
	{At: 15400, Run: "kubectl scale deployment/nginx-deployment --replicas=4"},
	{At: 15400, Run: "get pods"},
	{At: 31001, Do: "crash pod/nginx-deployment-5d59d67564-x2x4z"},
}

// TestShippedScenarios: each is a short link, with commands and without. Its text alone, which an edit makes of it, has its
// lesson in two languages and is longer; some chat programs cut such a link, so the page warns above 2,000 characters.
func TestShippedScenarios(t *testing.T) {
	for _, name := range scenarios.Names() {
		l := preset(name)
		if got, want := roundTrip(t, l), "s="+name; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		l.Recording.Commands = someCommands
		l.View = View{Still: true, T: 20000, Speed: 0.1, Tab: "queues", Theme: "dark", LoopA: 1000, LoopB: 30000, Workload: "Deployment/default/web"}
		if got := roundTrip(t, l); len(got) > 400 {
			t.Errorf("%s with %d commands has %d characters", name, len(someCommands), len(got))
		}
		l.Preset = ""
		if got := roundTrip(t, l); len(got) > 4000 {
			t.Errorf("the text of %s with %d commands has %d characters", name, len(someCommands), len(got))
		}
	}
}

// TestRandomRecordings: whatever a recording is made of, its link opens to the same.
func TestRandomRecordings(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	rng := rand.New(rand.NewPCG(6, 1))
	for range n {
		roundTrip(t, randomLink(rng))
	}
}

var pieces = strings.Split(scenarios.Text("first-rollout"), "\n")

func randomText(rng *rand.Rand, lines int) string {
	var b strings.Builder
	for range 1 + rng.IntN(lines) {
		switch rng.IntN(8) {
		case 0:
			for range rng.IntN(20) {
				b.WriteRune(rune(rng.IntN(0xd800)))
			}
		case 1:
			fmt.Fprintf(&b, "x%d: %d", rng.IntN(100), rng.Uint64())
		default:
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func randomLink(rng *rand.Rand) Link {
	l := Link{Recording: engine.Recording{Scenario: randomText(rng, 12)}}
	if rng.IntN(3) == 0 {
		names := scenarios.Names()
		l = preset(names[rng.IntN(len(names))])
	}
	for range rng.IntN(5) {
		l.Recording.Commands = append(l.Recording.Commands, randomCommand(rng))
	}
	if rng.IntN(4) == 0 {
		l.Draft = randomText(rng, 6)
	}
	if rng.IntN(2) == 0 {
		l.View = randomView(rng)
	}
	return l
}

func randomCommand(rng *rand.Rand) engine.Command {
	c := engine.Command{At: rng.Int64N(timeMax + 1)}
	switch rng.IntN(4) {
	case 0:
		c.Apply = randomText(rng, 5)
	case 1:
		c.Do = "crash pod/" + randomText(rng, 1)
	case 2:
		c.Run = "kubectl " + randomText(rng, 1)
	default:
		c.Run = randomText(rng, 1)
	}
	return c
}

func randomView(rng *rand.Rand) View {
	v := View{Still: rng.IntN(2) == 0, Speed: float64(rng.IntN(1_000_000)) / 1000}
	if v.Still {
		v.T, v.Nth = rng.Int64N(timeMax+1), rng.Int64N(3)
	}
	if rng.IntN(2) == 0 {
		v.LoopA = rng.Int64N(timeMax)
		v.LoopB = v.LoopA + 1 + rng.Int64N(1000)
	}
	words := []string{"", "pods", "tables", "dark", "Deployment/default/a-name-of-some-length"}
	v.Tab, v.Theme, v.Workload = words[rng.IntN(3)], words[rng.IntN(4)], words[rng.IntN(5)]
	return v
}

// TestLanguage: a link may say what language the page is to have. A shipped scenario stays short with it, a link without one
// is what it always was, and a word that is no language is left out.
func TestLanguage(t *testing.T) {
	l := preset("first-rollout")
	if got, want := roundTrip(t, l), "s=first-rollout"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l.Lang = "zh"
	if got, want := roundTrip(t, l), "s=first-rollout&lang=zh"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l.Recording.Commands = someCommands
	l.Tab = "events"
	roundTrip(t, l)
	for _, word := range []string{"", "%2541", "zh-", "<b>", "1"} {
		if l := open(t, "s=first-rollout&lang="+word); l.Lang != "" || l.Preset != "first-rollout" {
			t.Errorf("%q: got the language %q of %q", word, l.Lang, l.Preset)
		}
	}
	odd := preset("first-rollout")
	odd.Lang = "a b%41"
	if got := roundTrip(t, odd); strings.HasPrefix(got, presetPrefix) {
		t.Errorf("%s: what is no tag of a language does not survive in the short form", got)
	}
}

// TestWhatNoLinkHolds: the encoder refuses what the decoder would.
func TestWhatNoLinkHolds(t *testing.T) {
	text := engine.Recording{Scenario: "a: b"}
	for _, tt := range []struct {
		l    Link
		want string
	}{
		{Link{}, "nothing to share"},
		{Link{Recording: engine.Recording{Scenario: strings.Repeat("x", bodyMax)}}, "too long"},
		{Link{Recording: engine.Recording{Scenario: "a: \xff"}}, "UTF-8"},
		{Link{Recording: engine.Recording{Scenario: "a", Commands: make([]engine.Command, commandsMax+1)}}, "1000 commands at most"},
		{Link{Recording: engine.Recording{Scenario: "a", Commands: []engine.Command{{At: -1, Run: "x"}}}}, "not within a run"},
		{Link{Recording: engine.Recording{Scenario: "a", Commands: []engine.Command{{At: timeMax + 1, Run: "x"}}}}, "not within a run"},
		{Link{Recording: text, View: View{Tab: strings.Repeat("x", wordMax+1)}}, "too long"},
	} {
		if got, err := Encode(tt.l); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %.40q, %v; want an error with %q", got, err, tt.want)
		}
	}
}

// TestWhatALinkJustHolds: what is exactly as much as allowed goes through a link.
func TestWhatALinkJustHolds(t *testing.T) {
	const others = 1 + 3 + sumSize // bytes of a scenario's field beside its text
	roundTrip(t, Link{Recording: engine.Recording{Scenario: strings.Repeat("x", bodyMax-others)}})
	commands := make([]engine.Command, commandsMax)
	for i := range commands {
		commands[i] = engine.Command{At: int64(i), Run: "kubectl get po"}
	}
	commands[commandsMax-1].At = timeMax
	roundTrip(t, Link{Recording: engine.Recording{Scenario: "a: b", Commands: commands}})
	roundTrip(t, Link{Recording: engine.Recording{Scenario: "a: b"}, Other: engine.Recording{Scenario: "a: b", Commands: commands}})
	word := strings.Repeat("x", wordMax)
	roundTrip(t, Link{Recording: engine.Recording{Scenario: "a: b"}, View: View{Still: true, T: timeMax, Tab: word, Theme: word, Workload: word, Lang: word}})
}

// TestOther: a link holds what the run is compared with, whether it goes on alike, ends earlier, or has another text.
func TestOther(t *testing.T) {
	l := preset("recreate")
	l.Recording.Commands = someCommands
	for _, other := range []engine.Recording{
		{Scenario: l.Recording.Scenario, Commands: someCommands[:2]},
		{Scenario: l.Recording.Scenario, Commands: append(slices.Clone(someCommands), engine.Command{At: 40_000, Do: "kill node/a"})},
		{Scenario: l.Recording.Scenario, Commands: []engine.Command{{At: 5, Apply: "a: b"}, {At: 4, Run: "get pods"}}},
		{Scenario: l.Recording.Scenario},
		{Scenario: "a: another text", Commands: someCommands[1:]},
	} {
		l.Other = other
		got := roundTrip(t, l)
		if len(got) > len(encode(t, Link{Preset: l.Preset, Recording: l.Recording}))+130 {
			t.Errorf("the other recording of %d commands makes the link %d characters long", len(other.Commands), len(got))
		}
	}
	bare := preset("recreate")
	bare.Other = engine.Recording{Scenario: bare.Recording.Scenario, Commands: someCommands}
	roundTrip(t, bare)
}

// TestDamagedOther: what cannot be read in it makes the link unusable, as in the rest.
func TestDamagedOther(t *testing.T) {
	var w writer
	w.text(keyScenario, sumOf("a: b"), "a: b")
	head := string(w.out)
	for _, value := range []string{"", "\x01", "\x00t\x01\x05", "\x00s\x05aaaab", "\x00k\x7f\x00", "\x00o\x01\x00"} {
		w := writer{out: []byte(head)}
		w.field(keyOther, value)
		if l, err := Decode(pack(tagRaw, w.out), scenarios.Text); err == nil || l.Recording.Scenario != "a: b" || l.Other.Scenario != "" {
			t.Errorf("%q opens to %+v, %v", value, l, err)
		}
	}
	w.field(keyOther, "\x00")
	if l, err := Decode(pack(tagRaw, w.out), scenarios.Text); err != nil || l.Other.Scenario != "a: b" {
		t.Errorf("a recording without its commands opens to %+v, %v", l, err)
	}
}

func sumOf(text string) string {
	sum := checksum([]byte(text))
	return string(sum[:])
}

// TestTheLongest: a text of nearly a megabyte goes through a link.
func TestTheLongest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, bodyMax-100)
	for i := range b {
		b[i] = ' ' + byte(rng.IntN(95))
	}
	roundTrip(t, Link{Recording: engine.Recording{Scenario: string(b)}})
}

// TestWhatChatProgramsDo: what stands around a link, is escaped or is broken, does no harm.
func TestWhatChatProgramsDo(t *testing.T) {
	l := preset("recreate")
	l.Recording.Commands = someCommands
	whole := encode(t, l)
	for _, fragment := range []string{
		"#" + whole, whole + ".", whole + ")", whole + ">,", whole + "**", whole[:20] + "\n" + whole[20:] + " ",
		whole[:20] + "%0A%20" + whole[20:], whole[:20] + "%" + fmt.Sprintf("%02X", whole[20]) + whole[21:],
	} {
		if got, err := Decode(fragment, scenarios.Text); err != nil || !reflect.DeepEqual(got, l) {
			t.Errorf("%q: %v", fragment, err)
		}
	}
	if got := open(t, "#s%3Drecreate"); got.Preset != "recreate" {
		t.Errorf("got %+v", got)
	}
}

func TestIs(t *testing.T) {
	for fragment, want := range map[string]bool{
		"": false, "#": false, "#stage": false, "stage": false, ".x": false, "#s": false, "help.1": false,
		"#s=": true, "s=x": true, "#1.": true, "1.dAAAA": true, "#12.x": true,
	} {
		if Is(fragment) != want {
			t.Errorf("Is(%q) is %v", fragment, !want)
		}
	}
	for url, want := range map[string]string{"https://a/b#1.d": "1.d", "#s=x": "s=x", "1.rX": "1.rX", "https://a/": "https://a/"} {
		if got := Fragment(url); got != want {
			t.Errorf("Fragment(%q) is %q", url, got)
		}
	}
}

// pack makes a link of any body.
func pack(tag byte, packed []byte) string {
	sum := checksum(packed)
	return version + "." + string(tag) + base64.RawURLEncoding.EncodeToString(append(sum[:], packed...))
}
