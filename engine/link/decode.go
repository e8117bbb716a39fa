package link

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine"
)

// Kept is how much of a damaged link can be used.
type Kept uint8

// The values of Kept.
const (
	Nothing Kept = iota
	Scenario
	Everything
)

// Error describes the damage of a link, and how much of it can be used.
type Error struct {
	Message string // a sentence for users
	Kept    Kept
}

func (e *Error) Error() string {
	switch e.Kept {
	case Scenario:
		return e.Message + " Its scenario is intact and was kept; the commands are lost."
	case Everything:
		return e.Message
	}
	return e.Message + " Nothing in it can be used."
}

// Decode reads a fragment, with or without its #. presets returns the text of a shipped scenario, "" for an unknown name. An
// error is always an *Error, and the Link then has the usable part.
func Decode(fragment string, presets func(name string) string) (Link, error) {
	l, e := decode(fragment, presets)
	if e == nil {
		return l, nil
	}
	if e.Kept == Nothing {
		return Link{}, e
	}
	return l, e
}

func decode(fragment string, presets func(string) string) (Link, *Error) {
	if len(fragment) > fragmentMax {
		return Link{}, lost("This link is too long: %d characters, at most %d.", len(fragment), fragmentMax)
	}
	fragment = normalize(fragment)
	if name, ok := strings.CutPrefix(fragment, presetPrefix); ok {
		return shipped(name, presets)
	}
	v, rest, _ := strings.Cut(fragment, ".")
	switch {
	case v == "" || strings.Trim(v, "0123456789") != "":
		return Link{}, lost("This is not a rollplay link.")
	case v != version:
		return Link{}, lost("This link was made by a newer rollplay: it has format %.9s, and this page reads %s. "+
			"Reload the page to update it.", v, version)
	case rest == "":
		return Link{}, lost("This link is cut off: it ends after its first %d characters.", len(fragment))
	}
	return unpack(rest[0], rest[1:], presets)
}

func lost(format string, args ...any) *Error { return &Error{Message: fmt.Sprintf(format, args...)} }

// normalize undoes the changes that programs make to a link in transit: they escape characters, break lines, and include the full stop
// or the bracket that follows it.
func normalize(fragment string) string {
	fragment = strings.TrimPrefix(fragment, "#")
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	fragment = strings.Join(strings.Fields(fragment), "")
	return strings.TrimRight(fragment, ".,;:!?'\"`)>]}*")
}

// shipped opens an unchanged shipped scenario.
func shipped(name string, presets func(string) string) (Link, *Error) {
	name, lang, _ := strings.Cut(name, langOption)
	text := presets(name)
	if text == "" {
		return Link{}, noPreset(name)
	}
	l := Link{Preset: name, Recording: engine.Recording{Scenario: text}}
	if isTag(lang) {
		l.Lang = lang
	}
	return l, nil
}

// isTag reports whether a word has the form of a language tag, or is empty. Programs do not alter such a word in transit.
func isTag(word string) bool {
	for i := range len(word) {
		if c := word[i]; c != '-' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(word) <= wordMax && !strings.HasSuffix(word, "-")
}

func noPreset(name string) *Error {
	return lost("This link opens the scenario %.60q, which this rollplay does not have.", name)
}

// unpack reads the part behind the version and the tag.
func unpack(tag byte, payload string, presets func(string) string) (Link, *Error) {
	if tag != tagRaw && tag != tagDeflate {
		return Link{}, lost("This link was made by a newer rollplay: this page does not know its encoding (%q). "+
			"Reload the page to update it.", tag)
	}
	data, wrong := plain(payload)
	if len(data) < sumSize {
		return Link{}, lost("This link is cut off: it ends after %d characters.", len(payload)+len(version)+2)
	}
	sum, packed := [sumSize]byte(data[:sumSize]), data[sumSize:]
	whole := wrong == 0 && checksum(packed) == sum

	r := reader{presets: presets}
	var end error
	if tag == tagDeflate {
		r.rest, end = inflate(packed)
	} else {
		r.rest, end = bounded(packed)
	}
	e := r.fields()
	switch {
	case end == errLong:
		e = lost("This link holds more than %d bytes.", bodyMax)
	case wrong > 0:
		e = lost("This link is damaged: character %d is not valid in a link.", wrong+len(version)+2)
	case !whole && (errors.Is(end, io.ErrUnexpectedEOF) || end == nil && r.short):
		e = lost("This link is cut off: its end is missing after %d characters.", len(payload)+len(version)+2)
	case !whole || end != nil:
		e = lost("This link is damaged: its checksum does not match.")
	}
	if e != nil && e.Kept == Nothing && r.text {
		e.Kept = Scenario
		r.link = Link{Preset: r.link.Preset, Recording: engine.Recording{Scenario: r.link.Recording.Scenario}}
	}
	return r.link, e
}

// plain decodes base64 up to the first invalid character. wrong is the position of that character, counted from 1; 0 if all
// are valid.
func plain(payload string) (data []byte, wrong int) {
	for i := range len(payload) {
		if c := payload[i]; !strings.ContainsRune("-_", rune(c)) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			payload, wrong = payload[:i], i+1
			break
		}
	}
	data, _ = base64.RawURLEncoding.DecodeString(payload) // of a cut-off link, the whole bytes
	return data, wrong
}

// errLong is returned for a body over the limit.
var errLong = errors.New("too long")

// inflate returns as much as it can decompress, with the error that stopped it. A small link can inflate to a very long text,
// so it stops at the limit.
func inflate(packed []byte) ([]byte, error) {
	source := bytes.NewReader(packed)
	b, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(source, dictionary), bodyMax+1))
	if err == nil && len(b) <= bodyMax && source.Len() > 0 {
		err = errors.New("more than one stream")
	}
	if err != nil {
		return b, err
	}
	return bounded(b)
}

func bounded(b []byte) ([]byte, error) {
	if len(b) > bodyMax {
		return b[:bodyMax], errLong
	}
	return b, nil
}

// reader reads the fields of a body.
type reader struct {
	rest    []byte
	presets func(string) string
	link    Link
	last    int64         // the time of the previous command
	seen    map[byte]bool // fields that may occur only once
	text    bool          // the scenario is intact
	short   bool          // a field is longer than the rest of the body
	unknown *Error        // a field of a later version, or a scenario that has changed
}

// fields reads all fields. Its error concerns the fields alone; unpack compares the checksum.
func (r *reader) fields() *Error {
	r.seen = map[byte]bool{}
	for len(r.rest) > 0 {
		key, value, ok := r.next()
		if !ok {
			r.short = true
			return lost("This link is damaged: a part of it is longer than the link.")
		}
		if e := r.field(key, value); e != nil {
			return e
		}
	}
	if r.link.Recording.Scenario == "" && r.link.Draft == "" {
		return lost("This link is empty.")
	}
	return r.unknown
}

func (r *reader) next() (key byte, value []byte, ok bool) {
	n, size := binary.Uvarint(r.rest[1:])
	if size <= 0 || n > uint64(len(r.rest)-1-size) {
		return 0, nil, false
	}
	key, value = r.rest[0], r.rest[1+size:1+size+int(n)]
	r.rest = r.rest[1+size+int(n):]
	return key, value, true
}

func (r *reader) field(key byte, value []byte) *Error {
	if !strings.ContainsRune("krad", rune(key)) {
		if r.seen[key] {
			return lost("This link is damaged: it has part %q twice.", key)
		}
		r.seen[key] = true
	}
	switch key {
	case keyPreset:
		return r.preset(value)
	case keyScenario:
		return r.scenario(value)
	case keyKubectl, keyRun, keyApply, keyDo:
		return r.command(key, value)
	case keyOther:
		return r.other(value)
	case keyDraft:
		return r.string(&r.link.Draft, value, bodyMax)
	}
	return r.view(key, value)
}

func (r *reader) scenario(value []byte) *Error {
	if len(value) <= sumSize || checksum(value[sumSize:]) != [sumSize]byte(value[:sumSize]) || r.link.Preset != "" {
		return lost("This link is damaged: the checksum of its scenario does not match.")
	}
	r.text = true
	return r.string(&r.link.Recording.Scenario, value[sumSize:], bodyMax)
}

// preset looks up a shipped scenario by name. If its text has changed since the link was made, the commands are kept.
func (r *reader) preset(value []byte) *Error {
	if len(value) <= sumSize || len(value) > wordMax || r.text {
		return lost("This link is damaged: its scenario has no name.")
	}
	name := string(value[sumSize:])
	text := r.presets(name)
	if text == "" {
		return noPreset(name)
	}
	r.link.Preset, r.link.Recording.Scenario = name, text
	if checksum([]byte(text)) != [sumSize]byte(value[:sumSize]) {
		r.unknown = &Error{fmt.Sprintf("The scenario %q has changed since this link was made, so the run may differ.", name), Everything}
		return nil
	}
	r.text = true
	return nil
}

func (r *reader) command(key byte, value []byte) *Error {
	since, size := binary.Varint(value)
	at := r.last + since
	c := engine.Command{At: at}
	into := &c.Run
	switch key {
	case keyApply:
		into = &c.Apply
	case keyDo:
		into = &c.Do
	}
	switch {
	case len(r.link.Recording.Commands) == commandsMax:
		return lost("This link has more than %d commands.", commandsMax)
	case size <= 0 || since > timeMax || at < 0 || at > timeMax:
		return lost("This link is damaged: a command has no valid time.")
	case len(value) == size && into != &c.Run:
		return lost("This link is damaged: a command is empty.")
	}
	if e := r.string(into, value[size:], bodyMax); e != nil {
		return e
	}
	if key == keyKubectl {
		c.Run = kubectlPrefix + c.Run
	}
	r.last = at
	r.link.Recording.Commands = append(r.link.Recording.Commands, c)
	return nil
}

// other reads the recording to compare with. The commands that both begin with come before it.
func (r *reader) other(value []byte) *Error {
	same, size := binary.Uvarint(value)
	all := r.link.Recording.Commands
	if size <= 0 || same > uint64(len(all)) || r.link.Recording.Scenario == "" {
		return lost("This link is damaged: what it compares with has no beginning.")
	}
	in := reader{rest: value[size:], presets: r.presets, seen: map[byte]bool{}}
	in.link.Recording.Commands = append(in.link.Recording.Commands, all[:same]...)
	for len(in.rest) > 0 {
		key, part, ok := in.next()
		if !ok || !strings.ContainsRune("skrad", rune(key)) {
			return lost("This link is damaged: what it compares with cannot be read.")
		}
		if e := in.field(key, part); e != nil {
			return e
		}
	}
	r.link.Other = in.link.Recording
	r.link.Other.Scenario = cmp.Or(r.link.Other.Scenario, r.link.Recording.Scenario)
	return nil
}

func (r *reader) view(key byte, value []byte) *Error {
	v := &r.link.View
	switch key {
	case keyT:
		v.Still = true
		return r.numbers(value, &v.T)
	case keyNth:
		return r.numbers(value, &v.Nth)
	case keySpeed:
		var thousandths int64
		e := r.numbers(value, &thousandths)
		v.Speed = float64(thousandths) / 1000
		return e
	case keyLoop:
		var length int64
		e := r.numbers(value, &v.LoopA, &length)
		v.LoopB = v.LoopA + length
		if e == nil && length == 0 {
			return lost("This link is damaged: its loop has no length.")
		}
		return e
	case keyTab:
		return r.string(&v.Tab, value, wordMax)
	case keyTheme:
		return r.string(&v.Theme, value, wordMax)
	case keyWorkload:
		return r.string(&v.Workload, value, wordMax)
	case keyLang:
		return r.string(&v.Lang, value, wordMax)
	}
	r.unknown = &Error{"This link was made by a newer rollplay, and a part of it is unknown here. Reload the page to update it.", Everything}
	return nil
}

func (r *reader) string(into *string, value []byte, most int) *Error {
	if len(value) > most || !utf8.Valid(value) {
		return lost("This link is damaged: a text in it is too long or not UTF-8.")
	}
	*into = string(value)
	return nil
}

func (r *reader) numbers(value []byte, into ...*int64) *Error {
	for _, n := range into {
		u, size := binary.Uvarint(value)
		if size <= 0 || u > timeMax {
			return lost("This link is damaged: a number in it is too large.")
		}
		*n, value = int64(u), value[size:]
	}
	if len(value) > 0 {
		return lost("This link is damaged: a part of it has too many numbers.")
	}
	return nil
}
