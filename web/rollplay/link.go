package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// printLink prints the link of a scenario.
func printLink(args []string, c console) error {
	fs := flag.NewFlagSet("link", flag.ContinueOnError)
	base := fs.String("base", "", "the address of the playground, before the #")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	l, err := readLink(names[0], c)
	if err != nil {
		return err
	}
	scenario, diagnostics := scenario.Parse(l.Recording.Scenario)
	report(c.err, names[0], diagnostics)
	if scenario == nil {
		return fmt.Errorf("%s cannot be played", names[0])
	}
	fragment, err := link.Encode(l)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, *base+"#"+fragment)
	return nil
}

// readLink returns the link of a file, of standard input for -, or of a shipped scenario; a link stands for itself.
func readLink(name string, c console) (link.Link, error) {
	if isLink(name) {
		return openLink(name, c)
	}
	text, err := read(name, c.in)
	if err != nil {
		return link.Link{}, err
	}
	l := link.Link{Recording: engine.Recording{Scenario: text}}
	for _, preset := range scenarios.Names() {
		if scenarios.Text(preset) == text {
			l.Preset = preset
		}
	}
	return l, nil
}

// isLink says whether an argument is a link: a whole URL, or its fragment. A file of the same name hides it.
func isLink(name string) bool {
	if strings.HasPrefix(name, "#") || strings.Contains(name, "://") {
		return true
	}
	_, err := os.Stat(name)
	return err != nil && link.Is(name)
}

// openLink opens a link. A scenario that has changed since the link was made is not a reason to stop.
func openLink(url string, c console) (link.Link, error) {
	l, err := link.Decode(link.Fragment(url), scenarios.Text)
	var wrong *link.Error
	if errors.As(err, &wrong) && wrong.Kept == link.Everything {
		fmt.Fprintln(c.err, err)
		return l, nil
	}
	return l, err
}
