package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// outputs is the value of a flag -o that may be given several times: FORMAT, or FORMAT=FILE.
type outputs struct {
	among []string
	list  []outputTo
}

// outputTo is a format with its file, "" for standard output.
type outputTo struct{ format, file string }

func (o *outputs) String() string {
	if len(o.list) == 0 {
		return o.among[0]
	}
	return words.Join(o.list, ",", func(x outputTo) string { return strings.TrimSuffix(x.format+"="+x.file, "=") })
}

func (o *outputs) Type() string { return strings.Join(o.among, "|") + "[=FILE]" }

func (o *outputs) Set(text string) error {
	format, file, named := strings.Cut(text, "=")
	toScreen := func(x outputTo) bool { return x.file == file }
	switch {
	case !slices.Contains(o.among, format):
		return fmt.Errorf("is one of %s, perhaps with =FILE, not %q", strings.Join(o.among, ", "), text)
	case named && file == "":
		return fmt.Errorf("needs a file behind %s=", format)
	case slices.ContainsFunc(o.list, toScreen) && named:
		return fmt.Errorf("is written to %s twice", file)
	case slices.ContainsFunc(o.list, toScreen):
		return fmt.Errorf("has two formats for standard output; write one of them to a file: %s=FILE", format)
	}
	o.list = append(o.list, outputTo{format, file})
	return nil
}

// outputFlag adds a flag -o that may be given several times; the first format is the default.
func outputFlag(cmd *cobra.Command, formats ...string) *outputs {
	o := &outputs{among: formats}
	cmd.Flags().VarP(o, "output", "o", "the format; =FILE writes it to a file beside what is printed, and the flag may be repeated")
	completes(cmd, "output", formats)
	return o
}

// write writes every format. What has only files also prints the default format.
func (o *outputs) write(screen io.Writer, as func(format string, w io.Writer)) {
	list := o.list
	if !slices.ContainsFunc(list, func(x outputTo) bool { return x.file == "" }) {
		list = append([]outputTo{{o.among[0], ""}}, list...)
	}
	for _, x := range list {
		if x.file == "" {
			as(x.format, screen)
			continue
		}
		f := must.Have(os.Create(x.file))
		safe := words.NewWriter(f)
		as(x.format, safe)
		must.Do(safe.Flush())
		must.Do(f.Close())
	}
}
