package kubectl

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/scenarios"
)

// CompareFile compares the lines of a file: each has a scenario (a name of the playground, rich, or a file of YAML), a moment in ms and a
// line of kubectl in which ⏎ stands for the end of a line; a ~ before it marks a line that keeps printing.
func CompareFile(tally *Tally, file string, tell func(line string, v *Verdict)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var places []string
	lines := map[string][]string{}
	for asked := range strings.Lines(string(text)) {
		words := strings.SplitN(strings.TrimSpace(asked), " ", 3)
		if len(words) < 3 || words[0][0] == '#' {
			continue
		}
		place := words[0] + " " + words[1]
		if lines[place] == nil {
			places = append(places, place)
		}
		lines[place] = append(lines[place], strings.TrimPrefix(strings.ReplaceAll(words[2], "⏎", "\n"), "kubectl "))
	}
	for _, place := range places {
		if err := compareAt(tally, place, lines[place], tell); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	return nil
}

func compareAt(tally *Tally, place string, lines []string, tell func(line string, v *Verdict)) error {
	name, moment, _ := strings.Cut(place, " ")
	at, err := strconv.ParseInt(moment, 10, 64)
	if err != nil {
		return err
	}
	text, err := textOf(name)
	if err != nil {
		return err
	}
	c, err := NewCluster(text, at)
	if err != nil {
		return err
	}
	var once, on []string
	for _, line := range lines {
		if stream, ok := strings.CutPrefix(line, "~"); ok {
			on = append(on, stream)
		} else {
			once = append(once, line)
		}
	}
	list, err := Compare(c, once)
	if err != nil {
		return err
	}
	streams, err := CompareStreams(c, on)
	if err != nil {
		return err
	}
	list = append(list, streams...)
	tally.Add(list)
	for _, v := range list {
		tell(place+" "+v.Real.Line, v)
	}
	return nil
}

func textOf(name string) (string, error) {
	switch {
	case name == "rich":
		return rich, nil
	case scenarios.Has(name):
		return scenarios.Text(name), nil
	}
	text, err := os.ReadFile(name)
	return string(text), err
}
