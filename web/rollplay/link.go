package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

func linkCommand(c console) *cobra.Command {
	var base string
	cmd := fileCommand("link", playing, "print the link of a scenario, which opens it in the playground", func(name string) {
		l := readLink(name, c)
		played, diagnostics := scenario.Parse(l.Recording.Scenario)
		report(c.err, name, diagnostics)
		must.Be(played != nil, "%s cannot be played", name)
		fmt.Fprintln(c.out, base+"#"+must.Have(link.Encode(l)))
	})
	baseFlag(cmd.Flags(), &base)
	return cmd
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

// isLink reports whether an argument is a link: a whole URL, or its fragment. A file of the same name hides it, and 01.yaml is a file that
// is missing.
func isLink(name string) bool {
	if strings.HasPrefix(name, "#") || strings.Contains(name, "://") {
		return true
	}
	return !exists(name) && link.Is(name) && !slices.Contains(manifestEnds, filepath.Ext(name))
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
