package app

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/link"
)

// Links whose checksums are right and whose fields are not: whoever forges one can write anything into it.

// crc24 is the checksum of a link (RFC 4880).
func crc24(b []byte) []byte {
	crc := uint32(0xb704ce)
	for _, x := range b {
		crc ^= uint32(x) << 16
		for range 8 {
			if crc <<= 1; crc&0x1000000 != 0 {
				crc ^= 0x1864cfb
			}
		}
	}
	return []byte{byte(crc >> 16), byte(crc >> 8), byte(crc)}
}

// forged is the body of a link.
type forged []byte

func (b *forged) field(key byte, value []byte) {
	*b = append(binary.AppendUvarint(append(*b, key), uint64(len(value))), value...)
}

func (b *forged) text(text string) { b.field('s', append(crc24([]byte(text)), text...)) }

func (b forged) link() string {
	return "1.r" + base64.RawURLEncoding.EncodeToString(append(crc24(b), b...))
}

const forgedText = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
`

var (
	forgedNumbers = [...]uint64{0, 1, 999, 5000, 1 << 31, 86_399_999, 86_400_000, 86_400_001, 1<<63 - 1, 1 << 63, math.MaxUint64}
	forgedTimes   = [...]int64{0, 1, -1, 5000, 60_000, math.MinInt64, math.MaxInt64, 86_400_000, 86_400_001, -86_400_000}
	forgedWords   = [...]string{"", "en", "zh", "de", "why", "pods", "records", "dark", "light", "__proto__", "constructor", "<img src=x onerror=alert(1)>",
		"\"onclick=\"x", "../../x", "Deployment/default/web", "Deployment/default/none", "Pod//", "/", "\x00", "\u202ekrad", "\xff", strings.Repeat("w", 300), strings.Repeat("w", 301)}
	forgedLines = [...]string{"scale deployment web --replicas=3", "get pods", "", "delete deployment web", "crash pod/web", "kubectl kubectl", "rollout undo deployment web",
		strings.Repeat("x", 5000), "scale deployment web --replicas=-1", "apply -f -", "\x00\x1b[31m"}
)

// forge makes a link of bytes: each is a choice.
func forge(data []byte) (fragment string, commands int) {
	choose := texts.Choices(&data)
	var b forged
	if choose(8) > 0 {
		b.text(forgedText)
	}
	number := func(to []byte) []byte { return binary.AppendUvarint(to, forgedNumbers[choose(len(forgedNumbers))]) }
	for len(data) > 0 && len(b) < 1<<20 {
		key := "krad"[choose(4)]
		switch choose(8) {
		case 0, 1, 2:
			if key != 'r' || choose(20) > 0 {
				commands++
				b.field(key, append(binary.AppendVarint(nil, forgedTimes[choose(len(forgedTimes))]), forgedLines[choose(len(forgedLines))]...))
				break
			}
			for range 2000 { // more than a link may have
				commands++
				b.field(key, append(binary.AppendVarint(nil, 1), "get pods"...))
			}
		case 3:
			b.field("tnv"[choose(3)], number(nil))
		case 4:
			b.field('l', number(number(nil)))
		case 5:
			b.field("bmwg"[choose(4)], []byte(forgedWords[choose(len(forgedWords))]))
		case 6:
			var rest forged
			rest.field(key, append(binary.AppendVarint(nil, forgedTimes[choose(len(forgedTimes))]), forgedLines[choose(len(forgedLines))]...))
			b.field('o', append(number(nil), rest...))
		case 7:
			wrong := "spoezX\x00"[choose(7)]
			b.field(wrong, []byte(forgedWords[choose(len(forgedWords))]))
		}
	}
	return b.link(), commands
}

// FuzzForgedLinks: whatever is in a link, the page shows a run or says why not, the cursor is within the run, and no word of a stranger
// becomes a choice that the page does not have.
func FuzzForgedLinks(f *testing.F) {
	for i := range byte(60) {
		f.Add([]byte{1, i % 4, i % 8, i, i / 3, 2, i / 2, i % 5, i, 1, 3, i, i % 9, i / 7, 4, i, 5, i})
	}
	f.Fuzz(func(t *testing.T, data []byte) { opensForged(t, data) })
}

// TestForgedLinks is the same for some links, and counts what became of them.
func TestForgedLinks(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 200
	}
	seed, opened, refused := uint64(1), 0, 0
	for range n {
		data := make([]byte, 2+seed%30)
		for i := range data {
			seed = seed*6364136223846793005 + 1442695040888963407
			data[i] = byte(seed >> 56)
		}
		if opensForged(t, data) {
			opened++
		} else {
			refused++
		}
	}
	if opened < n/10 || refused < n/20 {
		t.Errorf("%d links opened, %d were refused: this tries too little", opened, refused)
	}
}

func opensForged(t *testing.T, data []byte) (opened bool) {
	fragment, commands := forge(data)
	p := pageOf(session.New(false))
	p.s.Open(session.Kept{}, "s=recreate")
	apptest.Compute(t, p.s)
	tab, before := p.details.Tab, p.s.Run()
	p.openLink(fragment)
	for range 20 { // it plays while it is computed
		p.s.Compute(100)
		p.s.Tick(16)
	}
	apptest.Compute(t, p.s)
	s, c := p.s, &p.s.Cursor
	if s.Run() == before && s.Visit.Notice.Text == "" {
		t.Fatalf("%s: no other run, and not a word", fragment)
	}
	if p.details.Tab != tab && details.TabLabels[p.details.Tab] == "" || !slices.Contains(header.Themes[:], p.theme) || s.Lang() != lang.English && s.Lang() != lang.Chinese {
		t.Fatalf("%s: tab %q, theme %q, language %q", fragment, p.details.Tab, p.theme, s.Lang())
	}
	run := s.Run()
	if c.T < 0 || c.T > run.Now() || c.Record < -1 || c.Record >= run.Len() {
		t.Fatalf("%s: the cursor is at %d ms, record %d of %d records in %d ms", fragment, c.T, c.Record, run.Len(), run.Now())
	}
	if w := s.Workload(); w != "" && !slices.Contains(run.Workloads(), w) {
		t.Fatalf("%s: the workload is %q", fragment, w)
	}
	if n := len(run.Recording().Commands); n > min(commands, 1000) {
		t.Fatalf("%s: %d commands of %d", fragment, n, commands)
	}
	if run.Broken() != "" {
		t.Fatalf("%s: %s", fragment, run.Broken())
	}
	if html := apptest.HTML(p.Render()); strings.Contains(html, "<img src=x") || strings.Contains(html, "\u202e") {
		t.Fatalf("%s: a stranger's words are in the page as they are", fragment)
	}
	if l := s.Link(); l.Recording.Scenario != "" {
		if _, err := link.Encode(l); err != nil {
			t.Fatalf("%s: it can't be shared again: %v", fragment, err)
		}
	}
	return s.Run() != before
}
