package line

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/pipe"
)

// split reads a line as a POSIX shell does: quotes, backslashes, a comment, a here-document. What a shell would do beyond
// that, pipes and braces (expand, redirect, run several commands) is refused by name, so that a line never means something else here.
func split(line string) (*shellScanner, error) {
	s := &shellScanner{text: line}
	for s.pos < len(s.text) {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.endWord()
	if s.until != "" {
		return nil, fmt.Errorf("the here-document has no line %q that ends it", s.until)
	}
	return s, nil
}

// SplitLines cuts a text into commands, one each: where a line ends, and at ; && and ||. A command behind one of the last two begins
// with it; see Condition. Lines that end in a backslash are joined with the next; quotes and here-documents keep their lines together;
// comments, empty lines and a prompt `$ ` in front go.
func SplitLines(text string) []string {
	var commands []string
	for text != "" {
		var command string
		if command, text = FirstCommand(text); command != "" {
			commands = append(commands, command)
		}
	}
	return commands
}

// FirstCommand takes the first command off a text, "" if there is none on its first line.
func FirstCommand(text string) (command, rest string) {
	text = strings.TrimLeft(text, " \t\r")
	text = strings.TrimPrefix(text, "$ ")
	sign, text := Condition(text)
	s := shellScanner{text: text, whole: true}
	for s.pos < len(s.text) && !s.ended {
		if s.step() != nil {
			s.pos = min(s.pos+1, len(s.text)) // running the command reports the error
		}
	}
	if command = strings.TrimRight(s.copied(), blanks); command != "" && sign != "" {
		command = sign + " " + strings.TrimLeft(command, " ")
	}
	return command, s.text[s.pos:]
}

// Condition takes && or || off a command: it runs only if the one before has succeeded, or has failed.
func Condition(text string) (sign, command string) {
	if strings.HasPrefix(text, "&&") || strings.HasPrefix(text, "||") {
		return text[:2], strings.TrimLeft(text[2:], blanks)
	}
	return "", text
}

// shellScanner reads one command, a byte or a quoted part at a time: its words without their quotes, and what it is given to read.
type shellScanner struct {
	words    []string
	before   [][]string // the words of the programs whose output is piped on, up to words
	into     int        // where in words the name behind > is, 0 without one
	stdin    string     // the text of a here-document
	hasStdin bool

	text   string
	pos    int
	word   strings.Builder
	inWord bool
	heads  []string // what the word may begin with: what bash makes of {a,b}
	braces []brace  // that are open

	until           string // the word that ends the here-document of the line
	indented        bool   // <<- allows tabs before its lines
	literal         bool   // its word was quoted: nothing in it is expanded
	variable, value string // of NAME=value && in front

	whole bool // stop at the end of the command: the text may hold others
	ended bool
	skips []span // of the text: what does not belong to the command
}

// span is a part of a text, and its replacement.
type span struct {
	from, to int
	with     string
}

// copied returns the text of the command without its comments and line ends.
func (s *shellScanner) copied() string {
	var b strings.Builder
	at := 0
	for _, skip := range s.skips {
		b.WriteString(s.text[at:skip.from])
		b.WriteString(skip.with)
		at = skip.to
	}
	b.WriteString(s.text[at:max(at, s.pos)])
	return b.String()
}

func (s *shellScanner) step() error {
	breath.Often()
	c := s.text[s.pos]
	switch {
	case c == '\n':
		return s.newline()
	case isBlank(c):
		s.endWord()
		s.pos++
	case c == '#' && !s.inWord:
		s.comment()
	case c == '\\':
		s.backslash()
	case c == '\'':
		return s.single()
	case c == '"':
		return s.double()
	case strings.HasPrefix(s.text[s.pos:], "<<"):
		return s.hereDocument()
	case c == '$' && !expands(s.text[s.pos+1:]):
		s.take(c)
	case c == '$' || c == '`':
		return errExpansion(s.text[s.pos:])
	case strings.IndexByte("|&;<>()", c) >= 0:
		return s.operator()
	default:
		if s.take(c); c == '{' {
			s.braces = append(s.braces, brace{text: s.pos, word: s.word.Len()})
		} else if c == '}' && len(s.braces) > 0 {
			return s.closeBrace()
		}
	}
	return nil
}

const blanks = " \t\r\n"

func isBlank(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

func (s *shellScanner) take(c byte) {
	s.word.WriteByte(c)
	s.inWord = true
	s.pos++
}

func (s *shellScanner) endWord() {
	if s.inWord && s.heads == nil {
		s.heads = []string{""}
	}
	for _, head := range s.heads {
		s.words = append(s.words, head+s.word.String())
	}
	s.word.Reset()
	s.inWord, s.heads, s.braces = false, nil, nil
}

// newline ends the command; the text of a here-document comes first.
func (s *shellScanner) newline() error {
	s.endWord()
	if s.until != "" {
		return s.body()
	}
	s.pos++
	if s.whole {
		s.ended = true
	} else if strings.TrimSpace(s.text[s.pos:]) != "" && len(s.words) > 0 {
		return errors.New("rollplay runs one command at a time; end a line with a backslash to continue it")
	}
	return nil
}

func (s *shellScanner) comment() {
	comment, _, _ := strings.Cut(s.text[s.pos:], "\n")
	s.skips = append(s.skips, span{from: s.pos, to: s.pos + len(comment)})
	s.pos += len(comment)
}

// backslash takes the next byte as it is; before the end of a line it joins the next one.
func (s *shellScanner) backslash() {
	rest := s.text[s.pos+1:]
	switch {
	case rest == "":
		s.take('\\')
	case rest[0] == '\n', strings.HasPrefix(rest, "\r\n"):
		s.join()
	default:
		s.pos++
		s.take(rest[0])
	}
}

// join skips a backslash, the end of the line, and the blanks around them but for one.
func (s *shellScanner) join() {
	var last span
	if len(s.skips) > 0 {
		last = s.skips[len(s.skips)-1]
	}
	from := max(last.to, len(strings.TrimRight(s.text[:s.pos], " \t")))
	to := s.pos + strings.IndexByte(s.text[s.pos:], '\n') + 1
	after := len(s.text) - len(strings.TrimLeft(s.text[to:], " \t"))
	with := ""
	if (from < s.pos || after > to) && (from > last.to || last.with == "") {
		with = " "
		s.endWord()
	}
	s.skips = append(s.skips, span{from, after, with})
	s.pos = after
}

// single reads '…', in which nothing has a meaning.
func (s *shellScanner) single() error {
	end := strings.IndexByte(s.text[s.pos+1:], '\'')
	if end < 0 {
		return s.open('\'')
	}
	s.word.WriteString(s.text[s.pos+1 : s.pos+1+end])
	s.inWord = true
	s.pos += end + 2
	return nil
}

// double reads "…", in which a backslash escapes itself, a quote, $ and `, and the variable of the line has its value.
func (s *shellScanner) double() error {
	for i := s.pos + 1; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case c == '"':
			s.inWord = true
			s.pos = i + 1
			return nil
		case c == '\\' && i+1 < len(s.text) && strings.IndexByte("\"\\$`\n", s.text[i+1]) >= 0:
			if i++; s.text[i] != '\n' {
				s.word.WriteByte(s.text[i])
			}
		case c == '$' && s.variable != "" && nameIn(s.text[i+1:]) == s.variable:
			s.word.WriteString(s.value)
			i += len(s.variable)
		case c == '`', c == '$' && expands(s.text[i+1:]):
			if !s.whole {
				return errExpansion(s.text[i:])
			}
		default:
			s.word.WriteByte(c)
		}
	}
	return s.open('"')
}

// open reports a quote without an end. The rest of the text is behind it.
func (s *shellScanner) open(quote byte) error {
	if s.whole {
		s.pos = len(s.text)
		return nil
	}
	return fmt.Errorf("a closing %c is missing", quote)
}

// expands says whether a $ before this text would be replaced by a shell.
func expands(rest string) bool {
	return rest != "" && (isWordByte(rest[0]) || strings.IndexByte("({'\"*@#?$!-", rest[0]) >= 0)
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// nameIn returns the name that a text begins with.
func nameIn(text string) string {
	end := 0
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	return text[:end]
}

func errExpansion(text string) error {
	return fmt.Errorf("rollplay is not a shell and does not expand %s; in single quotes it stands for itself", text[:1]+nameIn(text[1:]))
}

// brace is an unquoted { of a word.
type brace struct{ text, word int } // where what is behind it begins

// closeBrace makes several words of {a,b} and {1..3}, as bash does.
func (s *shellScanner) closeBrace() error {
	open, word := s.braces[len(s.braces)-1], s.word.String()
	s.braces = s.braces[:len(s.braces)-1]
	inner := s.text[open.text : s.pos-1]
	tails, ends := strings.Split(inner, ","), strings.Split(inner, "..")
	if len(tails) == 1 && len(ends) > 1 && isEnd(ends[0]) && isEnd(ends[1]) {
		tails = counted(ends)
	} else if len(tails) == 1 {
		return nil // to bash it is a word like any other
	}
	if tails == nil || len(s.braces) > 0 || strings.ContainsAny(inner, `{}'"\`) {
		return errors.New("rollplay is not a shell: of braces it expands {a,b} and {1..3}; in single quotes they stand for themselves")
	}
	heads := append(s.heads, "")[:max(1, len(s.heads))]
	if err := limits.AtMost(limits.Parts, len(heads)*len(tails), "words of {…}"); err != nil {
		return err
	}
	s.heads = nil
	for _, head := range heads {
		for _, tail := range tails {
			s.heads = append(s.heads, head+word[:open.word-1]+tail)
		}
	}
	s.word.Reset()
	return nil
}

// isEnd says whether a shell counts from or to a text: 1, a.
func isEnd(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil || len(text) == 1 && isWordByte(text[0])
}

// counted returns the numbers of 1..3, nil for a range with letters, a step, zeros in front, or of many numbers.
func counted(ends []string) (all []string) {
	n, err := strconv.Atoi(ends[0])
	last, err2 := strconv.Atoi(ends[1])
	if len(ends) > 2 || cmp.Or(err, err2) != nil || n < 0 || n > last || last > limits.Parts || strconv.Itoa(n) != ends[0] {
		return nil
	}
	for ; n <= last; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// operator notes a pipe, and refuses what else connects commands and files.
func (s *shellScanner) operator() error {
	s.endWord()
	c := s.text[s.pos]
	sign := string(c)
	if strings.HasPrefix(s.text[s.pos+1:], sign) {
		sign += sign
	}
	switch {
	case sign == "&&" && s.assigns():
		s.pos += len(sign)
		return nil
	case sign == "|" && s.into == 0:
		s.before, s.words = append(s.before, s.words), nil
		s.pos++
		return nil
	case s.whole && s.until == "" && (sign == ";" || sign == "&&" || sign == "||"):
		if s.ended = true; sign == ";" {
			s.skips = append(s.skips, span{from: s.pos, to: s.pos + 1})
			s.pos++
		}
		return nil
	case c == '(', c == ')':
		return fmt.Errorf("a shell does not accept %s here; put the word into single quotes", sign)
	case sign == ">" && s.into == 0 && s.pos > 0 && isBlank(s.text[s.pos-1]): // 2> has its number before it
		s.into = len(s.words)
		s.pos++
		return nil
	}
	return fmt.Errorf("rollplay is not a shell and does not model %s here: its prompt has %s", sign, shellHas)
}

// assigns takes NAME=value in front of && for the variable of the line.
func (s *shellScanner) assigns() bool {
	if len(s.words) != 1 || s.before != nil {
		return false
	}
	name, value, set := strings.Cut(s.words[0], "=")
	if set = set && name != "" && nameIn(name) == name; set {
		s.variable, s.value, s.words = name, value, nil
	}
	return set
}

// shellHas is what the prompt takes over from a shell.
const shellHas = "here-documents, > FILE, pipes to " + pipe.Names + ", echo $(kubectl …), ; && || and watch"
