package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
)

// kubectlPrefix begins most lines, so a link leaves it out.
const kubectlPrefix = "kubectl "

// errEmpty is returned for an empty link.
var errEmpty = errors.New("there is nothing to share: the editor is empty")

// Encode returns the fragment, without its #. It fails for anything that the decoder would reject.
func Encode(l Link) (string, error) {
	alone := len(l.Recording.Commands) == 0 && l.Draft == "" && l.Other.Scenario == "" && l.View == View{Lang: l.Lang}
	switch {
	case l.Recording.Scenario == "" && l.Draft == "":
		return "", errEmpty
	case l.Preset != "" && alone && isTag(l.Lang):
		return Shipped(l.Preset, l.Lang), nil
	}
	b, err := body(&l)
	if err != nil {
		return "", err
	}
	tag, packed := byte(tagRaw), b
	if d := deflate(b); len(d) < len(b) {
		tag, packed = tagDeflate, d
	}
	sum := checksum(packed)
	return version + "." + string(tag) + base64.RawURLEncoding.EncodeToString(append(sum[:], packed...)), nil
}

// Shipped returns the fragment of an unchanged shipped scenario, in a language; if lang is empty, the page chooses one.
func Shipped(name, lang string) string {
	if lang == "" {
		return presetPrefix + name
	}
	return presetPrefix + name + langOption + lang
}

// deflaters are reused: each has more than a megabyte of tables.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriterDict(nil, flate.BestCompression, dictionary)
	if err != nil {
		panic("link: " + err.Error()) // the level is one of flate's own
	}
	return w
}}

func deflate(b []byte) []byte {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	if err := breath.Write(w, b); err != nil {
		panic("link: " + err.Error()) // memory takes all
	}
	w.Close()
	return out.Bytes()
}

// writer appends fields. The text comes first, so that it survives if the end of a link is lost.
type writer struct {
	out []byte
	err error
}

func body(l *Link) ([]byte, error) {
	var w writer
	sum := checksum([]byte(l.Recording.Scenario))
	switch {
	case l.Preset != "":
		w.word(keyPreset, string(sum[:])+l.Preset)
	case l.Recording.Scenario != "":
		w.text(keyScenario, string(sum[:]), l.Recording.Scenario)
	}
	w.commands(l.Recording.Commands)
	if l.Other.Scenario != "" {
		w.other(&l.Recording, &l.Other)
	}
	if l.Draft != "" {
		w.text(keyDraft, "", l.Draft)
	}
	w.view(&l.View)
	if len(w.out) > bodyMax {
		w.fail("this is too long for a link: %d bytes, at most %d", len(w.out), bodyMax)
	}
	return w.out, w.err
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *writer) field(key byte, value string) {
	w.out = append(w.out, key)
	w.out = binary.AppendUvarint(w.out, uint64(len(value)))
	w.out = append(w.out, value...)
}

// text writes a text after its prefix: a checksum or a time.
func (w *writer) text(key byte, about, text string) {
	if !utf8.ValidString(text) {
		w.fail("a text that is not UTF-8 cannot be put into a link")
	}
	w.field(key, about+text)
}

func (w *writer) word(key byte, word string) {
	if len(word) > wordMax {
		w.fail("%q is too long for a link", word)
	}
	w.field(key, word)
}

func (w *writer) numbers(key byte, numbers ...int64) {
	var b []byte
	for _, n := range numbers {
		b = binary.AppendUvarint(b, uint64(w.inRange(n)))
	}
	w.field(key, string(b))
}

func (w *writer) inRange(ms int64) int64 {
	if ms < 0 || ms > timeMax {
		w.fail("%d ms is not within a run", ms)
	}
	return ms
}

// commands writes each command with the time since the previous one.
func (w *writer) commands(commands []engine.Command) {
	if len(commands) > commandsMax {
		w.fail("a link holds %d commands at most, this has %d", commandsMax, len(commands))
	}
	last := int64(0)
	for i := range commands {
		c := &commands[i]
		since := string(binary.AppendVarint(nil, w.inRange(c.At)-last))
		last = c.At
		key, line := commandField(c)
		w.text(key, since, line)
	}
}

// other writes the recording to compare with, as far as it differs: its text if that is another one, and the commands after those
// that both begin with.
func (w *writer) other(of, other *engine.Recording) {
	var inner writer
	if other.Scenario != of.Scenario {
		sum := checksum([]byte(other.Scenario))
		inner.text(keyScenario, string(sum[:]), other.Scenario)
	}
	same := 0
	for same < len(of.Commands) && same < len(other.Commands) && of.Commands[same] == other.Commands[same] {
		same++
	}
	if len(other.Commands) > commandsMax {
		w.fail("a link holds %d commands at most, this has %d", commandsMax, len(other.Commands))
	}
	inner.commands(other.Commands[same:])
	if inner.err != nil {
		w.fail("%w", inner.err)
	}
	w.field(keyOther, string(binary.AppendUvarint(nil, uint64(same)))+string(inner.out))
}

func commandField(c *engine.Command) (byte, string) {
	switch {
	case c.Apply != "":
		return keyApply, c.Apply
	case c.Do != "":
		return keyDo, c.Do
	}
	if line, ok := strings.CutPrefix(c.Run, kubectlPrefix); ok {
		return keyKubectl, line
	}
	return keyRun, c.Run
}

func (w *writer) view(v *View) {
	if v.Still {
		w.numbers(keyT, v.T)
	}
	if v.Nth != 0 {
		w.numbers(keyNth, v.Nth)
	}
	if v.Speed != 0 {
		w.numbers(keySpeed, int64(math.Round(v.Speed*1000)))
	}
	if v.LoopB > v.LoopA {
		w.numbers(keyLoop, v.LoopA, v.LoopB-v.LoopA)
	}
	for _, f := range [...]struct {
		key  byte
		word string
	}{{keyTab, v.Tab}, {keyTheme, v.Theme}, {keyWorkload, v.Workload}, {keyLang, v.Lang}} {
		if f.word != "" {
			w.word(f.key, f.word)
		}
	}
}
