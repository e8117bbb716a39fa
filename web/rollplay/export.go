package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/poster"
)

// pictureOptions are the flags that export and poster share.
type pictureOptions struct {
	console
	at       time.Duration
	of, font string
	lang     lang.Lang // empty for that of the link
}

func (o *pictureOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.at, "at", -time.Millisecond, "the moment; by default that of the link")
	noDefault(f, "at")
	workloadFlag(f, &o.of)
	f.Func("lang", "the language of the words, `en|zh`; by default that of the link", func(tag string) error {
		if o.lang = lang.Of(tag); o.lang == "" {
			return fmt.Errorf("is %s, not %q", strings.Join(lang.Tags(), " or "), tag)
		}
		return nil
	})
	f.StringVar(&o.font, "font", "", "a `file` with a TrueType or OpenType font for the words of a PNG, which Chinese needs")
}

type exportOptions struct {
	pictureOptions
	output, theme *choice
	base, to      string
}

func exportCommand(c console) *cobra.Command {
	o := exportOptions{pictureOptions: pictureOptions{console: c}}
	cmd := fileCommand("export", playing, "write a run as a file: YAML, objects at a moment, trace or chart", o.export)
	o.output = choose(cmd, "output", "o", "now", "the format", "yaml", "now", "json", "svg", "png", "animated")
	o.theme = choose(cmd, "theme", "", "light", "the colours of an SVG or PNG", "light", "dark")
	f := cmd.Flags()
	f.StringVar(&o.base, "base", "", "the `address` of the playground, for the link in an animated SVG")
	f.StringVar(&o.to, "to", "", "the `file` to write; without it everything but a PNG is printed")
	o.addFlags(cmd)
	return cmd
}

func (o *exportOptions) export(name string) {
	wrongIf(o.output.value == "png" && o.to == "", "-o png is no text: --to names the file to write")
	x := o.play(name)
	if o.to == "" {
		o.write(x, o.out)
		return
	}
	var b bytes.Buffer
	o.write(x, &b)
	must.Do(os.WriteFile(o.to, b.Bytes(), 0o666))
}

func (o *exportOptions) write(x *exported, w io.Writer) {
	switch o.output.value {
	case "yaml": // as it was written
		must.Have(io.WriteString(w, cmp.Or(x.link.Draft, x.link.Recording.Scenario)))
	case "now": // the objects at the moment, or at the end
		record := x.run.Len() - 1
		if x.at >= 0 {
			record = x.run.Past().Find(x.at)
		}
		must.Have(io.WriteString(w, export.Manifests(x.run.Past(), record)))
	case "json": // the trace, as run -o json prints it
		visible := words.NewWriter(w)
		must.Do(export.Trace(visible, x.run))
		must.Do(visible.Flush())
	case "animated":
		must.Have(w.Write(x.picture().Animated(x.lang, x.address(o.base))))
	default:
		theme := picture.Theme(slices.Index(picture.Themes[:], o.theme.value))
		must.Have(w.Write(x.draw(x.picture(), theme, o.output.value == "png")))
	}
}

type posterOptions struct {
	pictureOptions
	file string
	alt  bool
}

func posterCommand(c console) *cobra.Command {
	o := posterOptions{pictureOptions: pictureOptions{console: c}}
	cmd := fileCommand("poster", playing, "draw the chart of a run, light and dark", o.poster)
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "", "the `file` of the light picture, .svg or .png; the dark one gets -dark in its name")
	f.BoolVar(&o.alt, "alt", false, "only print the text")
	o.addFlags(cmd)
	return cmd
}

func (o *posterOptions) poster(name string) {
	wrongIf(o.file == "" && !o.alt, "-o is the file to write, poster.svg")
	x := o.play(name)
	p := x.picture()
	if !o.alt {
		ext := filepath.Ext(o.file)
		dark := strings.TrimSuffix(o.file, ext) + "-dark" + ext
		for file, theme := range map[string]picture.Theme{o.file: picture.Light, dark: picture.Dark} {
			must.Do(os.WriteFile(file, x.draw(p, theme, strings.EqualFold(ext, ".png")), 0o666))
		}
	}
	fmt.Fprintln(o.out, p.Alt(x.lang))
}

// exported is a run with the view of it that is written.
type exported struct {
	run  *engine.Run
	link link.Link
	name string // of the link, the file or the scenario

	workload string
	at       int64 // virtual ms; picture.Telling if it is not given
	lang     lang.Lang
	font     []byte // of the words in a PNG; nil for Go's own
}

func (o *pictureOptions) play(name string) *exported {
	x := &exported{name: name, at: picture.Telling}
	if o.font != "" {
		x.font = must.Have(os.ReadFile(o.font))
	}
	x.run, x.link = begin(name, o.console)
	if cut := x.run.Finish().Cut(); cut != "" {
		fmt.Fprintln(o.err, cut)
	}
	x.lang = cmp.Or(o.lang, lang.Pick(x.link.Lang))
	switch {
	case o.at >= 0:
		x.at = o.at.Milliseconds()
	case x.link.Still:
		x.at = x.link.T
	}
	x.workload = x.find(o.of)
	return x
}

// find returns the workload of a name, such as deployment/web. Without a name it is the link's.
func (x *exported) find(name string) string {
	name = cmp.Or(name, x.link.Workload)
	for _, w := range x.run.Workloads() {
		if name == "" || past.ParseKey(w).IsNamed(name) {
			return w
		}
	}
	must.Be(name == "", "there is no workload %q; there are %s", name, strings.Join(x.run.Workloads(), ", "))
	return ""
}

// draw returns a picture as a PNG or as an SVG.
func (x *exported) draw(p *picture.Picture, theme picture.Theme, png bool) []byte {
	if png {
		return must.Have(poster.WithWords(p, theme, x.lang, x.font))
	}
	return p.SVG(theme, x.lang)
}

func (x *exported) picture() *picture.Picture {
	p := picture.New(x.run, x.workload, x.at)
	must.Be(p != nil, "%s has no workload to draw", x.name)
	return p
}

// address is the link of the run: a whole URL stays as it is.
func (x *exported) address(base string) string {
	switch {
	case strings.Contains(x.name, "://"):
		return x.name
	case isLink(x.name):
		return base + "#" + strings.TrimPrefix(x.name, "#")
	}
	return base + "#" + must.Have(link.Encode(x.link))
}
