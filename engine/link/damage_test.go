package link

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// fails decodes a link that must be wrong.
func fails(t *testing.T, fragment string) (Link, *Error) {
	t.Helper()
	l, err := Decode(fragment, scenarios.Text)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%.100q opens to %+v", fragment, l)
	}
	return l, e
}

// TestDamage: each kind of damage has a message of its own.
func TestDamage(t *testing.T) {
	own := encode(t, Link{Recording: engine.Recording{Scenario: ownText, Commands: someCommands}})
	changed := preset("recreate")
	changed.Recording.Scenario += "# as it was"
	changed.Recording.Commands = someCommands
	gone := Link{Preset: "no-more", Recording: changed.Recording}
	bomb := deflate(append([]byte{keyScenario, 0xff, 0xff, 0xff, 0x7f}, make([]byte, 200<<20)...))
	for _, tt := range []struct {
		fragment, want string
		kept           Kept
	}{
		{"", "This is not a rollplay link", Nothing},
		{"stage", "This is not a rollplay link", Nothing},
		{"2." + own[2:], "newer rollplay: it has format 2", Nothing},
		{"999999999999999999999." + own[2:], "newer rollplay", Nothing},
		{"1.z" + own[3:], `newer rollplay: this page does not know its encoding ('z')`, Nothing},
		{"1.", "cut off", Nothing},
		{"1.d", "cut off", Nothing},
		{"1.dAAA", "cut off", Nothing},
		{own[:40], "cut off: its end is missing after 40 characters", Nothing},
		{own[:len(own)-3], "cut off: its end is missing", Scenario},
		{own[:60] + "~" + own[61:], "damaged: character 61 is not valid", Nothing},
		{own[:len(own)-9] + "A" + own[len(own)-8:], "This link is", Scenario},
		{own[:5] + flip(own[5]) + own[6:], "damaged", Scenario}, // the checksum itself
		{"s=nowhere", `scenario "nowhere"`, Nothing},
		{encode(t, gone), `scenario "no-more"`, Nothing},
		{encode(t, changed), `scenario "recreate" has changed`, Everything},
		{strings.Repeat("x", fragmentMax+1), "too long", Nothing},
		{pack(tagDeflate, bomb), "more than 1048576 bytes", Nothing},
		{pack(tagRaw, nil), "empty", Nothing},
		{pack(tagRaw, []byte{keyTab, 1, 'x'}), "empty", Nothing},
		{pack(tagRaw, []byte{keyDraft, 200}), "longer than the link", Nothing},
		{pack(tagRaw, []byte{keyDraft, 1, 0xff}), "a text in it is too long or not UTF-8", Nothing},
		{pack(tagRaw, []byte{keyDraft, 1, 'x', 'Z', 0}), "newer rollplay, and a part of it is unknown", Everything},
		{pack(tagRaw, []byte{keyDraft, 1, 'x', keyT, 1, 1, keyT, 1, 2}), "it has part 't' twice", Nothing},
		{pack(tagRaw, []byte{keyDraft, 1, 'x', keyT, 2, 1, 1}), "too many numbers", Nothing},
		{pack(tagRaw, []byte{keyDraft, 1, 'x', keyT, 0}), "a number in it is too large", Nothing},
		{pack(tagRaw, []byte{keyDraft, 1, 'x', keyLoop, 2, 1, 0}), "no length", Nothing},
		{pack(tagRaw, []byte{keyScenario, 4, 0, 0, 0, 'x'}), "the checksum of its scenario does not match", Nothing},
		{pack(tagDeflate, append(deflate([]byte{keyDraft, 1, 'x'}), "more"...)), "damaged", Nothing},
		{withCommand(binary.AppendVarint(nil, -1)), "no valid time", Scenario},
		{withCommand(binary.AppendVarint(nil, math.MaxInt64)), "no valid time", Scenario},
		{withCommand(binary.AppendVarint(nil, math.MinInt64)), "no valid time", Scenario},
		{withCommand(nil), "no valid time", Scenario},
	} {
		l, e := fails(t, tt.fragment)
		if !strings.Contains(e.Message, tt.want) || e.Kept != tt.kept || (e.Kept == Nothing) != reflect.DeepEqual(l, Link{}) {
			t.Errorf("%.60q: got %q, kept %d (%d bytes), want %q, %d", tt.fragment, e.Message, e.Kept, len(l.Recording.Scenario), tt.want, tt.kept)
		}
		if e.Kept == Scenario && (l.Recording.Scenario == "" || len(l.Recording.Commands) > 0) {
			t.Errorf("%.60q: kept %+v", tt.fragment, l)
		}
	}
	if l, _ := fails(t, encode(t, changed)); len(l.Recording.Commands) != len(someCommands) || l.Recording.Scenario != scenarios.Text("recreate") {
		t.Errorf("of a scenario that has changed: %+v", l)
	}
}

func flip(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}

// withCommand is a scenario and one command with these bytes for its time.
func withCommand(since []byte) string {
	l := Link{Recording: engine.Recording{Scenario: "a: b"}}
	b, _ := body(&l)
	return pack(tagRaw, append(append(b, keyRun, byte(len(since))), since...))
}

// TestTooManyCommands: a body of the allowed length has room for very many.
func TestTooManyCommands(t *testing.T) {
	l := Link{Recording: engine.Recording{Scenario: "a: b"}}
	b, _ := body(&l)
	for range commandsMax + 1 {
		b = append(b, keyRun, 2, 0, 'x')
	}
	kept, e := fails(t, pack(tagDeflate, deflate(b)))
	if !strings.Contains(e.Message, "more than 1000 commands") || e.Kept != Scenario || kept.Recording.Scenario != "a: b" {
		t.Errorf("got %v, %+v", e, kept)
	}
}

// TestCutAnywhere: of a link that is cut off, the scenario is kept as soon as it is whole, and it is never another one.
func TestCutAnywhere(t *testing.T) {
	for _, tag := range []byte{tagRaw, tagDeflate} {
		l := Link{Recording: engine.Recording{Scenario: ownText, Commands: someCommands}}
		b, err := body(&l)
		if err != nil {
			t.Fatal(err)
		}
		if tag == tagDeflate {
			b = deflate(b)
		}
		whole, kept := pack(tag, b), 0
		for n := range whole {
			got, e := fails(t, whole[:n])
			switch {
			case e.Kept == Scenario && got.Recording.Scenario == ownText && len(got.Recording.Commands) == 0:
				kept++
			case e.Kept != Nothing || kept > 0:
				t.Errorf("%c, cut after %d of %d characters: %v, %+v", tag, n, len(whole), e, got)
			}
		}
		if kept < len(whole)/10 {
			t.Errorf("%c: the scenario was kept at %d places only", tag, kept)
		}
	}
}

// TestOneCharacterIsWrong: no link opens silently to something else.
func TestOneCharacterIsWrong(t *testing.T) {
	l := preset("recreate")
	l.Recording.Commands = someCommands
	whole := encode(t, l)
	for i := 3; i < len(whole); i++ {
		for _, c := range "AZaz09-_" {
			if wrong := whole[:i] + string(c) + whole[i+1:]; wrong != whole {
				if got, e := Decode(wrong, scenarios.Text); e == nil && !reflect.DeepEqual(got, l) {
					t.Errorf("with %c at %d it opens to %+v", c, i, got)
				}
			}
		}
	}
}

// TestBombsAreCheap: a bomb is not unpacked further than a link may be long.
func TestBombsAreCheap(t *testing.T) {
	var out bytes.Buffer
	w, err := flate.NewWriterDict(&out, flate.BestCompression, dictionary)
	if err != nil {
		t.Fatal(err)
	}
	for range 1 << 10 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	b, err := inflate(out.Bytes())
	if err != errLong || len(b) != bodyMax {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// FuzzDecode: no text panics, what is refused says why, and what opens can be shared again.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/links/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		fragment, _, _ := strings.Cut(string(text), "\n")
		f.Add(fragment)
		f.Add(fragment[:len(fragment)*2/3])
	}
	f.Add("2.dAAAA")
	f.Add("s=%zz")
	f.Fuzz(func(t *testing.T, fragment string) {
		check(t, fragment)
		if len(fragment) < 1<<16 { // most of what is tried is stopped by the checksum, so the bytes are tried as a body, too
			check(t, pack(tagRaw, []byte(fragment)))
			check(t, pack(tagDeflate, deflate([]byte(fragment))))
		}
	})
}

func check(t *testing.T, fragment string) {
	t.Helper()
	l, err := Decode(fragment, goldenPresets)
	var e *Error
	if errors.As(err, &e) && (e.Message == "" || !utf8.ValidString(e.Error())) {
		t.Errorf("%q: no message: %+v", fragment, e)
	}
	if len(l.Recording.Scenario) > bodyMax || len(l.Recording.Commands) > commandsMax {
		t.Errorf("%q opens to too much", fragment)
	}
	if err != nil && e.Kept == Nothing {
		if !reflect.DeepEqual(l, Link{}) {
			t.Errorf("%q: nothing is kept but %+v", fragment, l)
		}
		return
	}
	again, encodeErr := Encode(l)
	if encodeErr != nil {
		t.Fatalf("%q opens (%v), but cannot be shared again: %v", fragment, err, encodeErr)
	}
	if got, err := Decode(again, goldenPresets); err != nil || !reflect.DeepEqual(got, l) {
		t.Errorf("%q opens to %+v, shared again to %+v, %v", fragment, l, got, err)
	}
}

// TestHostileScenarios: a link carries any text, and the engine says what is wrong with it.
func TestHostileScenarios(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"aliases":         {bomb.String(), "with its aliases written out"},
		"depth":           {strings.Repeat("[", bodyMax/2), "max depth"},
		"depth, balanced": {strings.Repeat("{a: ", 9000) + "1" + strings.Repeat("}", 9000), "levels deep"},
		"documents":       {strings.Repeat("a: 1\n---\n", bodyMax/10), "documents; at most 500 are read"},
		"no text":         {strings.Repeat("\x00", bodyMax/2), "yaml"},
	} {
		l := open(t, encode(t, Link{Recording: engine.Recording{Scenario: tt.text}}))
		run, diagnostics := engine.Start(l.Recording)
		if run != nil || len(diagnostics) == 0 || !strings.Contains(diagnostics[0].Message, tt.want) {
			t.Errorf("%s: run %v, %v", name, run != nil, diagnostics)
		}
	}
}
