package kubectl

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
)

//go:embed grammar.txt
var grammarText string

// rules are the alternatives of each rule of grammar.txt, as often as they are likely.
var rules = readRules(grammarText)

func readRules(text string) map[string][]string {
	rules, name := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			name = line
		default:
			line, times := strings.TrimSpace(line), 1
			if weight, rest, ok := strings.Cut(line, "x "); ok {
				if n, err := strconv.Atoi(weight); err == nil {
					line, times = rest, n
				}
			}
			for range times {
				rules[name] = append(rules[name], line)
			}
		}
	}
	return rules
}

// Lines draws lines of a rule about the objects of a cluster, no line twice.
func Lines(g generate.Random, c *Cluster, rule string, n int) (lines []string) {
	for range 4 * n {
		d := &drawing{Random: g, cluster: c, about: c.any(g, nil)}
		line := d.expand(rule)
		if strings.HasPrefix(line, "top") && strings.Contains(c.Scenario, "load:") {
			continue // the judge's server measures nothing
		}
		if len(lines) < n && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// drawing is a line while it is drawn.
type drawing struct {
	generate.Random
	cluster *Cluster
	about   *object
}

// place matches what a rule or a word about the object stands for.
var place = regexp.MustCompile(`\{[a-z][a-z0-9-]*\}`)

// expand replaces every place of a text, from left to right: an alternative may choose another object for what follows it.
func (d *drawing) expand(text string) string {
	if strings.HasPrefix(text, "@") {
		kinds, rest, _ := strings.Cut(text[1:], " ")
		d.about, text = d.cluster.any(d.Random, kindsOf(kinds)), rest
	}
	return place.ReplaceAllStringFunc(text, func(found string) string {
		name := found[1 : len(found)-1]
		if list := rules[name]; list != nil {
			return d.expand(generate.Pick(d.Random, list...))
		}
		if word, ok := d.word(name); ok {
			return word
		}
		return found // it belongs to a template of kubectl
	})
}

// word returns what a place says about the object or its cluster.
func (d *drawing) word(name string) (word string, ok bool) {
	o := d.about
	switch name {
	case "nothing":
		return "", true
	case "space":
		return " ", true
	case "n":
		return o.name(), true
	case "n2":
		return d.cluster.any(d.Random, []string{o.kind()}).name(), true
	case "s":
		return namesOf[o.kind()].short, true
	case "p":
		return namesOf[o.kind()].plural, true
	case "prefix":
		return o.name()[:1+d.IntN(len(o.name()))], true
	case "c":
		return o.container("name"), true
	case "image":
		return o.container("image"), true
	case "key":
		return o.label(), true
	case "label":
		return o.label() + "=" + o.labels()[o.label()], true
	case "pod", "node":
		return d.cluster.any(d.Random, kindsOf(name)).name(), true
	case "manifest":
		return "<<EOF\n" + d.manifest(d.manifested()) + "EOF", true
	case "service-manifest":
		return "<<EOF\n" + d.manifest(d.cluster.any(d.Random, []string{"Service"})) + "EOF", true
	case "intact":
		return "<<EOF\n" + textOfTree(manifestOf(d.manifested())) + "EOF", true
	case "blank":
		return "<<EOF\n" + generate.Pick(d.Random, "\n", "# nothing\n", "---\n", "---\n\n---\n# nothing\n") + "EOF", true
	}
	return "", false
}
