// Package link encodes a recording as the fragment of a URL, and decodes it.
//
// The decoder is the contract: whatever it reads today, every later version must read. testdata/links holds links that were
// published, and the recordings that they open to; no file there ever changes, nor does the dictionary (a test pins their hashes).
// The bytes of the encoder may change.
//
// A link is #s=<name> for a shipped scenario as it is, #s=<name>&lang=zh with a language, and #1.<tag><payload> for everything
// else: the version, a letter for the packing of the rest (r raw, d deflated with the dictionary), and base64url without padding
// of a checksum of three bytes (CRC-24 of RFC 4880, over the packed bytes) and the packed body. The encoder takes whichever is
// shorter. The dictionary, 3.7 kB of typical YAML, halves the links of manifests. A new dictionary gets a new tag, a new meaning
// a new version.
//
// A body is a list of fields: a key of one letter, a length (uvarint), and that number of bytes. p is the checksum of a shipped
// scenario's text and its name, s the checksum of a text and the text; one of these two comes first. Then come the commands in
// order, each with the ms since the previous one (varint): k a kubectl line without that word, r a line typed without it, a an
// applied YAML, d an action of the environment. Then come values that differ from the default: e the editor's text if it
// differs, t the cursor in ms, n the number of records of that ms that have happened, v the speed in thousandths, l start and
// length of the loop, b tab, m theme, w workload, g language. Field o adds a second branch: how many commands both begin with,
// then its text if that differs, and the rest of its commands.
//
// Damaged links are not guessed. The checksum detects the changes that chat programs make. The text comes first and has its own
// checksum, so a truncated link keeps its scenario, and the commands, which can't be verified, are dropped. If the text of a
// shipped scenario has changed since, the link opens with its commands and says so. Inflating stops at 1 MiB, a link has at most
// 1,000 commands, and times are limited to one day.
package link

import (
	_ "embed"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// Link is the contents of a link: a recording, and the view of it.
type Link struct {
	Preset    string           `json:"preset,omitempty"` // the name of the shipped scenario that the text is; empty for other texts
	Recording engine.Recording `json:"recording"`
	Other     engine.Recording `json:"other,omitzero"`  // compared with Recording; it has no text if nothing is compared
	Draft     string           `json:"draft,omitempty"` // the editor's text, if that is not the recording's
	View
}

// View is how a user looks at a run. The page chooses values for zero fields.
type View struct {
	Still    bool    `json:"still,omitempty"` // the cursor rests at T; otherwise the run plays from its start
	T        int64   `json:"t,omitempty"`     // virtual ms
	Nth      int64   `json:"nth,omitempty"`   // how many records of that moment have happened; 0: all
	Speed    float64 `json:"speed,omitempty"` // virtual ms per real ms, to a thousandth
	LoopA    int64   `json:"loopA,omitempty"` // virtual ms; there is a loop if LoopB is greater
	LoopB    int64   `json:"loopB,omitempty"`
	Tab      string  `json:"tab,omitempty"`
	Theme    string  `json:"theme,omitempty"`
	Workload string  `json:"workload,omitempty"` // Deployment/default/web
	Lang     string  `json:"lang,omitempty"`     // of the page: en or zh
}

// Limits of a link. They bound the cost of a hostile link.
const (
	bodyMax     = 1 << 20 // bytes of text and commands together
	fragmentMax = 3 << 19 // characters; base64 makes 4 of 3
	commandsMax = 1000
	timeMax     = 24 * 60 * 60 * 1000 // virtual ms; no run is longer
	wordMax     = 300                 // of the short fields: bytes
)

// version is the version of the format. It changes if an older decoder could misread a link; the old version stays readable.
const version = "1"

// Tags after the version: how the rest is packed.
const (
	tagRaw     = 'r' // as it is
	tagDeflate = 'd' // deflated, with the dictionary
)

// presetPrefix begins the short form of an unchanged shipped scenario; langOption may follow its name.
const (
	presetPrefix = "s="
	langOption   = "&lang="
)

// dictionary is the initial window of deflate: typical YAML, the most common last. It halves the links of manifests. It
// belongs to tagDeflate permanently: another dictionary needs another tag.
//
//go:embed dictionary.txt
var dictionary []byte

// Keys of the fields of a body. A field is a key, a length, and that number of bytes.
const (
	keyPreset   = 'p' // checksum of its text, name
	keyScenario = 's' // checksum of the text, text
	keyKubectl  = 'k' // ms since the command before, kubectl line without the word kubectl
	keyRun      = 'r' // the same, for a line typed without that word
	keyApply    = 'a' // ms, YAML
	keyDo       = 'd' // ms, line for the environment
	keyOther    = 'o' // the recording to compare with: how many commands both begin with, then fields s, k, r, a and d of the rest
	keyDraft    = 'e'
	keyT        = 't' // ms
	keyNth      = 'n'
	keySpeed    = 'v' // thousandths
	keyLoop     = 'l' // start, length
	keyTab      = 'b'
	keyTheme    = 'm'
	keyWorkload = 'w'
	keyLang     = 'g'
)

// Is reports whether a fragment, with or without its #, is meant as a link and not as an anchor of the page.
func Is(fragment string) bool {
	fragment = strings.TrimPrefix(fragment, "#")
	digits := strings.TrimLeft(fragment, "0123456789")
	return strings.HasPrefix(fragment, presetPrefix) || len(digits) < len(fragment) && strings.HasPrefix(digits, ".")
}

// Fragment returns the part of a URL that is the link; it also accepts a fragment alone.
func Fragment(url string) string {
	if _, fragment, ok := strings.Cut(url, "#"); ok {
		return fragment
	}
	return url
}

// sumSize is the size of a checksum in bytes: 4 characters of the link.
const sumSize = 3

// checksum is CRC-24 of RFC 4880. It detects links that chat programs have changed.
func checksum(b []byte) [sumSize]byte {
	crc := uint32(0xb704ce)
	for _, x := range b {
		crc ^= uint32(x) << 16
		for range 8 {
			crc <<= 1
			if crc&0x1000000 != 0 {
				crc ^= 0x1864cfb
			}
		}
	}
	return [sumSize]byte{byte(crc >> 16), byte(crc >> 8), byte(crc)}
}
