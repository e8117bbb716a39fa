package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

// linkOptions are the flags of rollplay link.
type linkOptions struct {
	console
	base string
}

func linkCommand(c console) *cobra.Command {
	o := linkOptions{console: c}
	cmd := fileCommand("link", playing, "print the link of a scenario, which opens it in the playground", o.link)
	baseFlag(cmd.Flags(), &o.base)
	return cmd
}

func (o *linkOptions) link(name string) {
	l := readLink(name, o.console)
	played, diagnostics := scenario.Parse(l.Recording.Scenario)
	report(o.err, name, diagnostics)
	if played == nil {
		must.Do(fmt.Errorf("%s cannot be played", name))
	}
	fmt.Fprintln(o.out, o.base+"#"+must.Have(link.Encode(l)))
}

// readLink returns the link of a file, of standard input for -, or of a shipped scenario. An argument that is a link is opened.
func readLink(name string, c console) link.Link {
	if isLink(name) {
		return openLink(name, c)
	}
	text := read(name, c)
	l := link.Link{Recording: engine.Recording{Scenario: text}}
	for _, preset := range scenarios.Names() {
		if scenarios.Text(preset) == text {
			l.Preset = preset
		}
	}
	return l
}

// isLink reports whether an argument is a link: a whole URL, or its fragment. A file of the same name hides it.
func isLink(name string) bool {
	if strings.HasPrefix(name, "#") || strings.Contains(name, "://") {
		return true
	}
	return !exists(name) && link.Is(name)
}

// openLink opens a link. A scenario that has changed since the link was made is not a reason to stop.
func openLink(url string, c console) link.Link {
	l, err := link.Decode(link.Fragment(url), scenarios.Text)
	var wrong *link.Error
	if !errors.As(err, &wrong) || wrong.Kept != link.Everything {
		must.Do(err)
	} else {
		fmt.Fprintln(c.err, err)
	}
	return l
}
