package lang

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// EngineFile is the list of the engine's sentences with their translations; its head explains the form. The browser loads it with
// the texts of the scenarios, so that it is no part of the program.
const EngineFile = "engine.zh.txt"

// Engine returns a sentence of the engine in the language: of a diagnosis, a judgement, a record or an explanation. What the
// list does not have stays as it is.
//
// The engine speaks English, because the command, traces and recordings keep its texts. They come from a fixed number of templates,
// by which the page recognizes them. So runs hold one text for each sentence, and the engine needs no catalogue.
func (l Lang) Engine(text string) string {
	if l != Chinese || len(text) > textMax {
		return text
	}
	book.Lock()
	defer book.Unlock()
	if book.read == nil {
		list := List(EngineFile)
		if list == "" {
			return text
		}
		book.read = readPhrases(list)
	}
	p := book.read
	p.tries = 0
	sentence, stopped := strings.CutSuffix(text, ".")
	zh, ok := p.translate(sentence)
	switch {
	case !ok:
		return text
	case !stopped:
		return zh
	case letter(zh[len(zh)-1]) && !strings.HasSuffix(zh, "Pod") && !strings.HasSuffix(zh, " s"): // the end of what Kubernetes says
		return zh + "."
	}
	return zh + "。"
}

// book is the list, read when it is first needed and there. Tests translate in parallel.
var book struct {
	sync.Mutex

	read *phrases
}

// phrases translates sentences.
type phrases struct {
	whole  map[string]string  // sentences without places
	shapes map[string][]shape // sentences with places by their first word, "" if that has a place; those with most text first
	kept   map[string]string  // what was translated last; "" if there is no translation
	tries  int                // parts of the present sentence that were looked up
}

const (
	keptMax   = 5000 // of kept sentences and parts: a page shows a few hundred sentences at most
	textMax   = 2000 // bytes of a sentence
	triesMax  = 5000 // of parts of a sentence: what Kubernetes says can hold any number of commas
	placesMax = 8    // of a sentence
)

// shape is a sentence with places: text[0], place[0], text[1] and so on.
type shape struct {
	text  []string
	place []byte // d, w, s or t
	zh    string
	open  bool // a place takes any text: tried last, because it also fits what other shapes take apart
}

func readPhrases(list string) *phrases {
	p := &phrases{whole: map[string]string{}, shapes: map[string][]shape{}, kept: map[string]string{}}
	en := ""
	for line := range strings.Lines(list) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
		switch zh, ok := strings.CutPrefix(line, "\t"); {
		case ok:
			p.add(en, zh)
		case !strings.HasPrefix(line, "#"):
			en = line
		}
	}
	for _, shapes := range p.shapes {
		sort.SliceStable(shapes, func(i, j int) bool { return shapes[i].weight() > shapes[j].weight() })
	}
	return p
}

// add adds a sentence, without its full stop: it may be one of several in a row.
func (p *phrases) add(en, zh string) {
	en, zh = strings.TrimSuffix(en, "."), strings.TrimSuffix(zh, "。")
	s := shape{zh: zh, open: strings.Contains(en, "%s")}
	for i, text := range strings.Split(strings.ReplaceAll(en, "%%", "\x00"), "%") {
		if i > 0 {
			s.place, text = append(s.place, text[0]), text[1:]
		}
		s.text = append(s.text, strings.ReplaceAll(text, "\x00", "%"))
	}
	if len(s.place) == 0 {
		p.whole[s.text[0]] = zh
		return
	}
	word := firstWord(s.text[0])
	p.shapes[word] = append(p.shapes[word], s)
}

// firstWord returns the text up to the first space, "" without one.
func firstWord(text string) string { return text[:max(0, strings.IndexByte(text, ' '))] }

// weight is how much text a shape has around its places.
func (s *shape) weight() (n int) {
	for _, text := range s.text {
		n += len(text)
	}
	return n
}

// translate returns the Chinese of a sentence or of a part of one; ok is false if the list does not have it. Parts are
// kept too: a sentence can be taken apart in many ways, which have most parts in common.
func (p *phrases) translate(text string) (zh string, ok bool) {
	if p.tries++; p.tries > triesMax {
		return "", false
	}
	zh, known := p.kept[text]
	if !known {
		if zh, _ = p.find(text); p.tries > triesMax {
			return "", false
		}
		if len(p.kept) >= keptMax {
			clear(p.kept)
		}
		p.kept[text] = zh
	}
	return zh, zh != ""
}

func (p *phrases) find(text string) (zh string, ok bool) {
	if zh, ok := p.whole[text]; ok {
		return zh, true
	}
	for _, open := range [...]bool{false, true} {
		for _, shapes := range [...][]shape{p.shapes[firstWord(text)], p.shapes[""]} {
			for i := range shapes {
				var args [placesMax]string
				if s := &shapes[i]; s.open == open && s.mayBe(text) && p.match(s, 0, text[len(s.text[0]):], &args) {
					return s.fill(&args), true
				}
			}
		}
	}
	return "", false
}

// mayBe says whether a text has the texts between the places of a shape, in order.
func (s *shape) mayBe(text string) bool {
	last := len(s.text) - 1
	if !strings.HasPrefix(text, s.text[0]) || !strings.HasSuffix(text, s.text[last]) {
		return false
	}
	text = text[len(s.text[0]):]
	for _, between := range s.text[1:last] {
		_, rest, ok := strings.Cut(text, between)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// match fills the places of a shape from place k on with the rest of a text; false if they do not fit.
func (p *phrases) match(s *shape, k int, rest string, args *[placesMax]string) bool {
	after := s.text[k+1]
	if k == len(s.place)-1 {
		value, ok := strings.CutSuffix(rest, after)
		return ok && p.take(s.place[k], value, &args[k])
	}
	for from := 0; ; from++ {
		n := strings.Index(rest[from:], after)
		if n < 0 || p.tries > triesMax {
			return false
		}
		from += n
		if p.take(s.place[k], rest[:from], &args[k]) && p.match(s, k+1, rest[from+len(after):], args) {
			return true
		}
	}
}

// take puts a value into a place; false if it is of another kind.
func (p *phrases) take(place byte, value string, arg *string) (ok bool) {
	*arg = value
	switch place {
	case 'd':
		digits := strings.TrimPrefix(value, "-")
		ok = digits != "" && strings.Trim(digits, "0123456789") == ""
	case 'w':
		ok = value != "" && !strings.Contains(value, " ") && !strings.HasSuffix(value, ".")
	case 't':
		*arg, ok = p.translate(value)
	default:
		ok = value != ""
	}
	return ok
}

// fill returns the translation with its places filled.
func (s *shape) fill(args *[placesMax]string) string {
	var b strings.Builder
	zh := s.zh
	for i := strings.IndexByte(zh, '%'); i >= 0; i = strings.IndexByte(zh, '%') {
		n := zh[i+1:]
		if n == "" || n[0] < '1' || n[0] > '0'+placesMax { // a percent sign
			b.WriteString(zh[:i+1])
			zh = n
			continue
		}
		arg := args[n[0]-'1']
		b.WriteString(zh[:i])
		if isHan(utf8.DecodeLastRuneInString(zh[:i])) && latin(arg[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(arg)
		zh = n[1:]
		if latin(arg[len(arg)-1]) && isHan(utf8.DecodeRuneInString(zh)) {
			b.WriteByte(' ')
		}
	}
	b.WriteString(zh)
	return b.String()
}

// Chinese and Latin letters or digits have a space between them.
func latin(c byte) bool  { return c >= '0' && c <= '9' || c == ')' || letter(c) }
func letter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

func isHan(r rune, _ int) bool { return r >= 0x4e00 && r <= 0x9fff }
