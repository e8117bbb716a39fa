package yamltext

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pair is a field of an object.
type pair struct {
	key   string
	value any // object, []any or string; a string is written as it would be plain
}

type object []pair

// span is where a value is in a text, with its key.
type span struct{ key, from, to int }

// styler writes a value in a random style, and remembers where each part of it is.
type styler struct {
	r      *rand.Rand
	text   strings.Builder
	eol    string
	spans  map[string]span
	shared map[string]bool // paths that an alias elsewhere repeats
	anchor string          // the name of the anchor in the document, with its value
	of     string
	names  int
}

func (s *styler) chance(n int) bool { return s.r.IntN(n) == 0 }
func (s *styler) put(text string)   { s.text.WriteString(text) }

// comment ends a line, perhaps with a comment and others below.
func (s *styler) comment() {
	if s.chance(4) {
		s.put(" # it's: {a} \"comment\", 'é'")
	}
	s.put(s.eol)
	for s.chance(8) {
		s.put(strings.Repeat(" ", s.r.IntN(9)) + []string{"# - spec: {seed: 1}", "", "# kind: Scenario"}[s.r.IntN(3)] + s.eol)
	}
}

// block writes a value behind a colon or a dash, and ends the line.
func (s *styler) block(path string, v any, indent, parent int) {
	key := s.text.Len()
	switch v := v.(type) {
	case object:
		if len(v) == 0 || s.chance(4) {
			s.put(" ")
			s.flow(path, v)
			s.comment()
			return
		}
		s.properties(path)
		s.comment()
		s.blockObject(path, v, indent)
	case []any:
		if len(v) == 0 || s.chance(4) {
			s.put(" ")
			s.flow(path, v)
			s.comment()
			return
		}
		s.properties(path)
		s.comment()
		if s.chance(2) {
			indent = parent
		}
		for i, item := range v {
			s.item(fmt.Sprintf("%s/%d", path, i), item, indent)
		}
	case string:
		s.put(" ")
		s.scalar(path, v, indent, false)
	}
	s.spans[path] = span{key, key, s.text.Len()}
}

// item writes an entry of a list.
func (s *styler) item(path string, v any, indent int) {
	s.put(strings.Repeat(" ", indent) + "-")
	if o, ok := v.(object); ok && len(o) > 0 && s.chance(2) {
		gap := 1 + s.r.IntN(3)
		s.put(strings.Repeat(" ", gap))
		s.fields(path, o, indent+1+gap, true)
		return
	}
	s.block(path, v, indent+2, indent+1)
}

func (s *styler) blockObject(path string, v object, indent int) { s.fields(path, v, indent, false) }

func (s *styler) fields(path string, v object, indent int, begun bool) {
	v = shuffled(s.r, v)
	for _, p := range v {
		if !begun {
			s.put(strings.Repeat(" ", indent))
		}
		begun = false
		start := s.text.Len()
		long := s.chance(12)
		if long {
			s.put("? ")
		}
		s.put(s.quoteKey(p.key))
		if long {
			s.comment()
			s.put(strings.Repeat(" ", indent))
		}
		s.put(":")
		at := path + "/" + p.key
		s.block(at, p.value, indent+1+s.r.IntN(4), indent)
		x := s.spans[at]
		x.key = start
		s.spans[at] = x
	}
}

// properties writes an anchor or a tag. An alias is written by scalar.
func (s *styler) properties(path string) {
	if s.chance(10) {
		s.names++
		s.put(fmt.Sprintf(" &a%d", s.names))
	}
}

// flow writes a value within brackets or as a scalar within them.
func (s *styler) flow(path string, v any) {
	start := s.text.Len()
	gap := func() {
		s.put(strings.Repeat(" ", s.r.IntN(2)))
		if s.chance(12) {
			s.put(" # in brackets ]}" + s.eol + strings.Repeat(" ", 12))
		}
	}
	switch v := v.(type) {
	case object:
		s.put("{")
		for i, p := range shuffled(s.r, v) {
			if i > 0 {
				s.put(",")
			}
			gap()
			at, key := path+"/"+p.key, s.text.Len()
			s.put(s.quoteKey(p.key) + ": ")
			s.flow(at, p.value)
			x := s.spans[at]
			x.key = key
			s.spans[at] = x
		}
		gap()
		s.put("}")
	case []any:
		s.put("[")
		for i, item := range v {
			if i > 0 {
				s.put(", ")
			}
			s.flow(fmt.Sprintf("%s/%d", path, i), item)
		}
		gap()
		if len(v) > 0 && s.chance(4) {
			s.put(",")
		}
		s.put("]")
	case string:
		s.scalar(path, v, 0, true)
	}
	s.spans[path] = span{start, start, s.text.Len()}
}

// scalar writes a text; outside of brackets it ends the line, too. The first text may get an anchor that later equal ones repeat.
func (s *styler) scalar(path, v string, indent int, inside bool) {
	isText := strings.Trim(v, "0123456789") != "" && v != "true"
	switch {
	case s.anchor != "" && v == s.of && s.chance(2):
		s.put("*" + s.anchor + " ")
		s.shared[s.anchor] = true
	case s.anchor == "" && s.chance(20):
		s.anchor, s.of = "first", v
		s.spans["anchor"] = span{from: s.text.Len()}
		s.put("&first " + v)
		s.shared["path "+path] = true
	case isText && s.chance(5):
		s.put(`"` + strings.ReplaceAll(v, "e", `\x65`) + `"`)
	case isText && s.chance(5):
		s.put("'" + v + "'")
	case isText && s.chance(9):
		s.put("!!str " + v)
	case isText && !inside && s.chance(6):
		s.put([]string{"|-", ">-"}[s.r.IntN(2)])
		s.comment2()
		s.put(strings.Repeat(" ", indent) + v + s.eol)
		return
	case isText && strings.Contains(v, " ") && !inside && s.chance(3):
		s.put(strings.Replace(v, " ", s.eol+strings.Repeat(" ", indent+1), 1))
	default:
		s.put(v)
	}
	if !inside {
		s.comment()
	}
}

// comment2 ends the line of a block scalar's sign: a comment below would be text.
func (s *styler) comment2() {
	if s.chance(3) {
		s.put(" # sign")
	}
	s.put(s.eol)
}

func (s *styler) quoteKey(key string) string {
	switch s.r.IntN(8) {
	case 0:
		return `"` + key + `"`
	case 1:
		return "'" + key + "'"
	}
	return key
}

func shuffled(r *rand.Rand, o object) object {
	out := append(object(nil), o...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
