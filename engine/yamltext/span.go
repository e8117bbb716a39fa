package yamltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The parser gives only the place where a node begins. Its end follows from the text: positions here are bytes of d.body.

// offset returns where a node begins, with its anchor and tag.
func (d *Document) offset(n *Node) int {
	at := 0
	for range n.Line - 1 {
		at = nextLine(d.body, at)
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(d.body[at:])
		at += size
	}
	return at
}

// nextLine returns where the line below begins. YAML 1.1 has more line breaks than most editors.
func nextLine(text string, at int) int {
	for at < len(text) {
		c, size := utf8.DecodeRuneInString(text[at:])
		if at += size; isBreak(c) {
			if c == '\r' && at < len(text) && text[at] == '\n' {
				at++
			}
			return at
		}
	}
	return at
}

func isBreak(c rune) bool {
	return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029'
}

func isSpace(c rune) bool { return c == ' ' || c == '\t' || isBreak(c) }

// skipSpace returns the next position that is neither blank nor in a comment.
func (d *Document) skipSpace(at int) int {
	for at < len(d.body) {
		c, size := utf8.DecodeRuneInString(d.body[at:])
		switch {
		case isSpace(c):
			at += size
		case c == '#':
			at = nextLine(d.body, at)
		default:
			return at
		}
	}
	return at
}

// properties returns where the anchor and the tag of a node end.
func (d *Document) properties(n *Node) int {
	at := d.offset(n)
	end := at
	for at < len(d.body) && (d.body[at] == '&' || d.body[at] == '!') {
		end = at
		for end < len(d.body) && strings.IndexByte(" \t\r\n,]}", d.body[end]) < 0 {
			end++
		}
		at = d.skipSpace(end)
	}
	return end
}

// content returns where a node begins behind its anchor and tag.
func (d *Document) content(n *Node) int {
	end := d.properties(n)
	if end == d.offset(n) || isNull(n) {
		return end
	}
	return d.skipSpace(end)
}

// isNull reports whether a node is a null that takes no letter.
func isNull(n *Node) bool {
	return n.Kind == Scalar && n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

// isBlock reports whether a node continues on the lines below.
func isBlock(n *Node) bool {
	return n.Kind == Scalar && n.Style&blockStyles != 0 || (n.Kind == Mapping || n.Kind == Sequence) && n.Style&yaml.FlowStyle == 0
}

func (d *Document) end(n *Node) int {
	at := d.content(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return at + 1 + len(n.Value)
	case n.Kind == Scalar:
		return d.scalarEnd(n, at)
	case n.Style&yaml.FlowStyle == 0:
		return d.end(n.Content[len(n.Content)-1])
	}
	closing := byte(']')
	if n.Kind == Mapping {
		closing = '}'
	}
	at++
	if len(n.Content) > 0 {
		at = d.end(n.Content[len(n.Content)-1])
	}
	for at = d.skipSpace(at); at < len(d.body) && d.body[at] != closing; {
		at = d.skipSpace(at + 1) // a comma, or the colon of a null
	}
	return min(at+1, len(d.body))
}

func (d *Document) scalarEnd(n *Node, at int) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		for at++; at < len(d.body) && d.body[at] != '"'; at++ {
			if d.body[at] == '\\' {
				at++
			}
		}
		return min(at+1, len(d.body))
	case n.Style&yaml.SingleQuotedStyle != 0:
		for at++; at < len(d.body); at++ {
			if d.body[at] == '\'' {
				if !strings.HasPrefix(d.body[at+1:], "'") {
					return at + 1
				}
				at++
			}
		}
		return len(d.body)
	case n.Style&blockStyles != 0:
		return d.after(nextLine(d.body, at), n.Value, d.headerEnd(at))
	}
	return d.after(at, n.Value, at)
}

// headerEnd returns where the sign of a block scalar ends: |2-
func (d *Document) headerEnd(at int) int {
	for at < len(d.body) && strings.IndexByte("|>+-0123456789", d.body[at]) >= 0 {
		at++
	}
	return at
}

// after returns where the letters of a value end, which begin at a position; lines may be broken anywhere between them. A value without
// letters ends at none.
func (d *Document) after(at int, value string, none int) int {
	end := none
	for _, c := range value {
		if unicode.IsSpace(c) {
			continue
		}
		for at < len(d.body) {
			got, size := utf8.DecodeRuneInString(d.body[at:])
			if at += size; got == c {
				break
			}
		}
		end = at
	}
	return end
}

// inStream returns where a position of the body is in the whole text.
func (d *Document) inStream(at int) int {
	line := strings.Count(d.body[:at], "\n")
	return d.starts[line] + at - d.lineStart(at)
}
