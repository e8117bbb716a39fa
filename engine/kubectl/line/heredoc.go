package line

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// hereDocument reads <<EOF or <<-'EOF'. Its text begins on the next line.
func (s *shellScanner) hereDocument() error {
	s.endWord()
	if strings.HasPrefix(s.text[s.pos:], "<<<") || s.until != "" {
		return errors.New("rollplay is not a shell: of redirections it reads one here-document, <<EOF")
	}
	s.pos += 2
	if s.indented = strings.HasPrefix(s.text[s.pos:], "-"); s.indented {
		s.pos++
	}
	rest := strings.TrimLeft(s.text[s.pos:], " \t")
	end := strings.IndexAny(rest, blanks+";|&<>()")
	if end < 0 {
		end = len(rest)
	}
	word := rest[:end]
	s.pos = len(s.text) - len(rest) + end
	s.until = strings.Trim(word, `'"`)
	s.literal = s.until != word
	if s.until == "" {
		return errors.New("a here-document needs a word that ends it: <<EOF")
	}
	return nil
}

// body reads the text of the here-document, up to the line that ends it.
func (s *shellScanner) body() error {
	var body strings.Builder
	for rest := s.text[s.pos+1:]; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		s.pos = len(s.text) - len(after)
		text := strings.TrimSuffix(line, "\r")
		if s.indented {
			text = strings.TrimLeft(text, "\t")
		}
		if text == s.until {
			s.stdin, s.hasStdin, s.until = body.String(), true, ""
			if s.ended = s.whole; !s.whole && strings.TrimSpace(after) != "" {
				return errors.New("rollplay runs one command at a time; there is another behind the here-document")
			}
			return nil
		}
		if !s.literal {
			text = encoded(text)
		}
		if i := strings.IndexAny(text, "$`"); i >= 0 && !s.literal && !s.whole && (text[i] == '`' || expands(text[i+1:])) {
			return fmt.Errorf("%w; or quote the word that ends the here-document: <<'%s'", errExpansion(text[i:]), s.until)
		}
		body.WriteString(text + "\n")
		rest = after
	}
	s.pos = len(s.text)
	return nil
}

// encoded puts what it prints in the place of $(echo -n "text" | base64 -w0), as the documentation of Secrets has it.
func encoded(line string) string {
	before, rest, found := strings.Cut(line, `$(echo -n "`)
	text, after, closed := strings.Cut(rest, `" | base64 -w0)`)
	if !found || !closed || strings.ContainsAny(text, "\"\\$`") {
		return line
	}
	return before + base64.StdEncoding.EncodeToString([]byte(text)) + after
}

// fromFile turns `cat FILE | kubectl apply -f -` into `kubectl apply -f FILE`.
func fromFile(text string) string {
	file, isCat := strings.CutPrefix(strings.TrimSpace(text), "cat ")
	file, command, piped := strings.Cut(file, "|")
	if file = strings.TrimSpace(file); !isCat || !piped || strings.Contains(file, "<") || !strings.Contains(command, " -f -") {
		return text
	}
	return strings.Replace(strings.TrimSpace(command), " -f -", " -f "+file, 1)
}

// echoed turns `echo $(kubectl get pods -o name)` into the command and a pipe to xargs, which prints its words with a blank between them.
func echoed(text string) string {
	command, echoes := strings.CutPrefix(strings.TrimSpace(text), "echo $(")
	if command, closed := strings.CutSuffix(command, ")"); echoes && closed {
		return command + " | xargs"
	}
	return text
}

// watched turns `watch kubectl get pods` into `kubectl get -w pods`, which prints what changes where watch would print all again.
func watched(text string) (string, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "watch ")
	if !ok {
		return text, nil
	}
	for rest = strings.TrimSpace(rest); isFlag(rest); rest = strings.TrimSpace(rest) {
		option, behind, _ := strings.Cut(rest, " ")
		if rest = behind; option == "-n" || option == "--interval" {
			_, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		}
	}
	if n := len(rest); n > 1 && (rest[0] == '"' || rest[0] == '\'') && rest[n-1] == rest[0] {
		rest = rest[1 : n-1]
	}
	words := strings.SplitN(strings.TrimPrefix(inFull(rest), "kubectl "), " ", 2)
	if words[0] != "get" && words[0] != "events" {
		return text, fmt.Errorf("rollplay's watch shows what kubectl get and kubectl events print, not %q", rest)
	}
	return "kubectl " + words[0] + " -w " + strings.Join(words[1:], ""), nil
}
