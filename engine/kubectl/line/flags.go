package line

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Int returns the number of a flag, and another one if it is not given. The parser has checked it.
func (c *Command) Int(name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(c.Flags[name], 10, 64); err == nil {
		return n
	}
	return otherwise
}

// Timeout returns --timeout in ms, and another one if it is not given.
func (c *Command) Timeout(otherwise int64) int64 {
	if d, err := time.ParseDuration(c.Flags["timeout"]); err == nil {
		return d.Milliseconds()
	}
	return otherwise
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// anyTakesValue says whether a flag before the verb has its value in the next word.
func anyTakesValue(word, group string) bool {
	if !strings.HasPrefix(word, "--") && len(word) > 2 {
		return false // -nshop
	}
	for i := range verbs {
		if v := &verbs[i]; strings.HasPrefix(v.name, group) {
			if f := v.flag(word); f != nil {
				return f.takesValue && f.optional == ""
			}
		}
	}
	return false
}

// is says whether a word such as --namespace or -n names the flag.
func (f *flag) is(word string) bool {
	return word == "--"+f.name || f.short != "" && word == "-"+f.short
}

// flag returns the verb's flag that a word such as --replicas or -r names, nil if it has none.
func (v *verb) flag(word string) *flag {
	breath.Often()
	if i := slices.IndexFunc(v.flags, func(f flag) bool { return f.is(word) }); i >= 0 {
		return &v.flags[i]
	}
	return nil
}

// takeFlags sorts flags from plain words.
func (c *Command) takeFlags(words []string) error {
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		var err error
		switch {
		case w == "--":
			c.plain, c.behind = append(c.plain, words...), words
			return nil
		case !isFlag(w):
			c.plain = append(c.plain, w)
		case strings.HasPrefix(w, "--"):
			words, err = c.longFlag(w, words)
		default:
			words, err = c.shortFlags(w, words)
		}
		if err != nil || c.WantsHelp {
			return err
		}
	}
	return nil
}

// longFlag takes --name, --name=value or --name value.
func (c *Command) longFlag(word string, words []string) (rest []string, err error) {
	name, value, hasValue := strings.Cut(word, "=")
	f := c.entry.flag(name)
	switch {
	case f == nil:
		return nil, c.noFlag(name, word)
	case hasValue:
	case !f.takesValue:
		value = "true"
	case f.optional != "":
		value = f.optional
	case len(words) == 0:
		return nil, c.misused(fmt.Errorf("flag needs an argument: --%s", f.name))
	default:
		value, words = words[0], words[1:]
	}
	return words, c.setFlag(f, value)
}

// shortFlags takes -x, -xvalue, -x=value, -x value, and several in one word: -Aw.
func (c *Command) shortFlags(word string, words []string) (rest []string, err error) {
	for i := 1; i < len(word); i++ {
		f := c.entry.flag("-" + word[i:i+1])
		if f == nil {
			return nil, c.noFlag("-"+word[i:i+1], word)
		}
		value, behind := "true", word[i+1:]
		if f.takesValue || strings.HasPrefix(behind, "=") {
			switch {
			case behind != "":
				value = strings.TrimPrefix(behind, "=")
			case len(words) == 0:
				return nil, c.misused(fmt.Errorf("flag needs an argument: '%s' in %s", f.short, word))
			default:
				value, words = words[0], words[1:]
			}
			i = len(word)
		}
		if err := c.setFlag(f, value); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// Flags that kubectl has and rollplay does not: of all verbs, of verbs that print objects, and of verbs that name objects.
const (
	foreignGlobal = " as as-group as-uid cache-dir certificate-authority client-certificate client-key cluster context " +
		"insecure-skip-tls-verify kubeconfig profile request-timeout server token user v -s -v "
	foreignPrint = " allow-missing-template-keys field-manager show-managed-fields template "
	foreignFile  = " filename kustomize recursive -f -k -R "
)

// isForeign says whether kubectl has a flag of a verb that is not modelled.
func (v *verb) isForeign(word string) bool {
	list := foreignGlobal + " " + v.others + " "
	if v.flag("--output") != nil {
		list += foreignPrint
	}
	if !v.is("words") && !v.is("nodes") {
		list += foreignFile
	}
	return strings.Contains(list, " "+strings.TrimPrefix(word, "--")+" ")
}

// noFlag is the answer to a flag that the verb does not have, or not here. word is --name or a letter of text.
func (c *Command) noFlag(word, text string) error {
	names := make([]string, len(c.entry.flags)-1) // all but --help
	for i := range names {
		names[i] = "--" + c.entry.flags[i].name
	}
	if c.entry.isForeign(word) {
		text, _ := insteadOf(word, "kubectl "+c.Verb+" --help lists its flags")
		return fmt.Errorf("rollplay does not model the flag %s of %q: %s", word, "kubectl "+c.Verb, text)
	}
	what := "unknown flag: " + word
	if word[1] != '-' {
		what = "unknown shorthand flag: '" + word[1:] + "' in " + text
	}
	err := c.misused(errors.New(what))
	if near := api.Nearest(word, names); near != "" {
		err = fmt.Errorf("%w\nDid you mean %s?", err, near)
	}
	return err
}

// Usage is an error in how a command is used, with the line that kubectl adds to those.
func (c *Command) Usage(err error) error {
	return fmt.Errorf("%w\nSee 'kubectl %s -h' for help and examples", err, c.path())
}

// path is what kubectl calls the command in its errors.
func (c *Command) path() string {
	return strings.Replace(c.Verb, "create secret", "create secret generic", 1)
}

// misused is an error of a flag, with the line that kubectl adds to those.
func (c *Command) misused(err error) error {
	if c.Verb == "diff" { // which has an exit code of its own for them
		return c.Usage(err)
	}
	path := c.path()
	if len(c.plain) == 2 { // create secret -x, which names no secret yet
		path = c.Verb
	}
	return fmt.Errorf("%w\nSee 'kubectl %s --help' for usage.", err, path) //nolint:staticcheck // kubectl's words
}

// setFlag keeps a value, checked as the flag library does.
func (c *Command) setFlag(f *flag, value string) error {
	var err error
	switch {
	case f.name == "help":
		c.WantsHelp = true
	case f.duration:
		_, err = time.ParseDuration(value)
	case f.number > 0:
		var n int64
		if n, err = strconv.ParseInt(value, 0, int(f.number)); err == nil {
			value = strconv.FormatInt(n, 10)
		}
	case !f.takesValue:
		var on bool
		if on, err = strconv.ParseBool(value); err == nil {
			value = strconv.FormatBool(on)
		}
	case f.repeat && c.Flags[f.name] != "":
		value = c.Flags[f.name] + Separator + value
	}
	if err != nil {
		return c.misused(fmt.Errorf("invalid argument %q for %q flag: %w", value, f.doc().Name, err))
	}
	if _, again := c.Flags[f.name]; !again {
		c.order = append(c.order, f.name)
	}
	c.Flags[f.name] = value
	return nil
}

// readFlags reads the flags that mean the same to all verbs.
func (c *Command) readFlags() (err error) {
	c.Namespace = cmp.Or(c.Flags["namespace"], c.Namespace)
	if c.Verb == "expose" { // its --selector is that of the Service
		return c.readDryRun()
	} else if c.Selector, err = ParseSelector(c.Flags["selector"]); limits.IsExceeded(err) {
		return err
	} else if err != nil && strings.HasPrefix(c.Verb, "create ") {
		c.BadSelector = fmt.Errorf("couldn't parse the selector string \"%s\": %w", c.Flags["selector"], err)
	} else if err != nil { // the server's answer comes after kubectl's own errors
		c.Selector, c.BadSelector = Selector{}, err
	}
	if c.On("all") && c.Selector != nil && c.Verb == "delete" {
		return errors.New("setting 'all' parameter but found a non empty selector. ")
	} else if c.On("all") && c.Selector != nil && !c.labels() {
		return errors.New("cannot set --all and --selector at the same time")
	}
	if c.On("record") {
		c.Warnings = append(c.Warnings, "Flag --record has been deprecated, --record will be removed in the future")
	}
	if c.Verb == "set env" { // whose words come before --dry-run
		if _, err := (&Command{entry: c.entry}).takePairs(c.plain[2:]); err != nil {
			return err
		}
	}
	return c.readDryRun()
}

// readDryRun reads --dry-run, also in the ways that are deprecated.
func (c *Command) readDryRun() error {
	value, ok := c.Flags["dry-run"]
	on, err := strconv.ParseBool(value)
	switch {
	case !ok, value == "none":
	case value == "client", value == "unchanged": // that of the flag without a value
		c.Dry = DryClient
	case value == "server":
		c.Dry = DryServer
	case err != nil:
		return fmt.Errorf(`Invalid dry-run value (%s). Must be "none", "server", or "client".`, value)
	default:
		instead := "none"
		if on {
			c.Dry, instead = DryClient, "client"
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("--dry-run=%s is deprecated (boolean value) and can be replaced with "+
			"--dry-run=%s.", value, instead))
	}
	return nil
}

// DryRun says whether a command only prints its effect.
type DryRun uint8

const (
	NoDryRun  DryRun = iota
	DryClient        // no request is sent
	DryServer        // the server checks the object and does not store it
)

func (d DryRun) Suffix() string {
	return [...]string{"", " (dry run)", " (server dry run)"}[d]
}
