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
