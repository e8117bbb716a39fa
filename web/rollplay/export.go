package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	lines "github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/site/poster"
)

// taken is a run that somebody takes along, and what of it.
type taken struct {
	run  *engine.Run
	link link.Link
	name string // of the link, the file or the scenario

	workload string
	at       int64 // virtual ms; picture.Telling for none
	lang     lang.Lang
	theme    picture.Theme
	base     string
	font     []byte // of the words in a PNG; nil for Go's own
}

// takers write a run in the formats of export.
var takers = map[string]func(*taken, io.Writer) error{
	"yaml": (*taken).yaml, "now": (*taken).now, "json": (*taken).json, "svg": (*taken).svg, "png": (*taken).png, "animated": (*taken).animated,
}

// exportFile writes a run as a file that stands for itself.
func exportFile(args []string, c console) error {
	fs := flag.NewFlagSet("export", flag.ContinueOnError)
	format := fs.String("o", "now", "yaml, now, json, svg, png or animated")
	theme := fs.String("theme", "light", "light or dark, for svg and png")
	base := fs.String("base", "", "the address of the playground, for the link in an animated SVG")
	to := fs.String("to", "", "the file to write; by default it is printed, except a PNG")
	t, err := take(fs, args, c, func() error {
		switch {
		case takers[*format] == nil:
			return notFormat("export", *format, "yaml", "now", "json", "svg", "png", "animated")
		case *format == "png" && *to == "":
			return fmt.Errorf("%w: export: -o png is no text: -to names the file to write", errUsage)
		case *theme != "light" && *theme != "dark":
			return fmt.Errorf("%w: export: -theme is light or dark, not %q", errUsage, *theme)
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.theme, t.base = picture.Theme(slices.Index(picture.Themes[:], *theme)), *base
	if *to == "" {
		return takers[*format](t, c.out)
	}
	var b bytes.Buffer
	if err := takers[*format](t, &b); err != nil {
		return err
	}
	return os.WriteFile(*to, b.Bytes(), 0o666)
}

// posterFile writes a run as two pictures, light and dark, and prints what they show.
func posterFile(args []string, c console) error {
	fs := flag.NewFlagSet("poster", flag.ContinueOnError)
	file := fs.String("o", "", "the file of the light picture, .svg or .png; the dark one is beside it")
	alt := fs.Bool("alt", false, "print the text alone")
	t, err := take(fs, args, c, func() error {
		if *file == "" && !*alt {
			return fmt.Errorf("%w: poster: -o is the file to write, poster.svg", errUsage)
		}
		return nil
	})
	if err != nil {
		return err
	}
	p, err := t.picture()
	if err != nil {
		return err
	}
	if !*alt {
		ext := filepath.Ext(*file)
		dark := strings.TrimSuffix(*file, ext) + "-dark" + ext
		for name, theme := range map[string]picture.Theme{*file: picture.Light, dark: picture.Dark} {
			b, err := t.draw(p, theme, strings.EqualFold(ext, ".png"))
			if err != nil {
				return err
			}
			if err := os.WriteFile(name, b, 0o666); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(c.out, p.Alt(t.lang))
	return nil
}

// take reads the flags that export and poster share, and plays the run. check looks at the other flags before that.
func take(fs *flag.FlagSet, args []string, c console, check func() error) (*taken, error) {
	at := fs.Duration("at", -time.Millisecond, "the moment; by default that of the link")
	of := fs.String("of", "", "the workload")
	tag := fs.String("lang", "", "en or zh")
	own := fs.String("font", "", "a file of a TrueType or OpenType font for the words of a PNG, which Chinese needs")
	names, err := parse(fs, args, 1)
	if err != nil {
		return nil, err
	}
	if err := check(); err != nil {
		return nil, err
	}
	if *tag != "" && lang.Of(*tag) == "" {
		return nil, fmt.Errorf("%w: %s: -lang is %s, not %q", errUsage, fs.Name(), strings.Join(lang.Tags(), " or "), *tag)
	}
	var letters []byte
	if *own != "" {
		if letters, err = os.ReadFile(*own); err != nil {
			return nil, err
		}
	}
	r, l, err := begin(names[0], c)
	if err != nil {
		return nil, err
	}
	if cut := r.Finish().Cut(); cut != "" {
		fmt.Fprintln(c.err, cut)
	}
	t := &taken{run: r, link: l, name: names[0], at: picture.Telling, lang: lang.Pick(l.Lang), font: letters}
	if *tag != "" {
		t.lang = lang.Of(*tag)
	}
	switch {
	case *at >= 0:
		t.at = at.Milliseconds()
	case l.Still:
		t.at = l.T
	}
	t.workload, err = t.find(*of)
	return t, err
}

// find returns the workload of a name: deployment/web, web, Deployment/default/web. Without a name it is the link's.
func (t *taken) find(name string) (string, error) {
	if name == "" && t.link.Workload != "" {
		name = t.link.Workload
	}
	for _, w := range t.run.Workloads() {
		if name == "" || strings.EqualFold(name, w) || name == lines.Name(w) || strings.EqualFold(name, lines.Target(w)) {
			return w, nil
		}
	}
	if name == "" {
		return "", nil
	}
	return "", fmt.Errorf("there is no workload %q; there are %s", name, strings.Join(t.run.Workloads(), ", "))
}

// yaml writes the text as it was written.
func (t *taken) yaml(w io.Writer) error {
	text := t.link.Draft
	if text == "" {
		text = t.link.Recording.Scenario
	}
	_, err := io.WriteString(w, text)
	return err
}

// now writes the objects at the moment, or at the end.
func (t *taken) now(w io.Writer) error {
	record := t.run.Len() - 1
	if t.at >= 0 {
		record = t.run.Past().Find(t.at)
	}
	_, err := io.WriteString(w, export.Manifests(t.run.Past(), record))
	return err
}

// json writes the trace, as run -o json prints it.
func (t *taken) json(w io.Writer) error {
	visible := words.NewWriter(w)
	if err := export.Trace(visible, t.run); err != nil {
		return err
	}
	return visible.Flush()
}

func (t *taken) svg(w io.Writer) error { return t.write(w, false) }

func (t *taken) png(w io.Writer) error { return t.write(w, true) }

func (t *taken) write(w io.Writer, png bool) error {
	p, err := t.picture()
	if err != nil {
		return err
	}
	b, err := t.draw(p, t.theme, png)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// draw returns a picture as a PNG or as an SVG.
func (t *taken) draw(p *picture.Picture, theme picture.Theme, png bool) ([]byte, error) {
	if png {
		return poster.WithWords(p, theme, t.lang, t.font)
	}
	return p.SVG(theme, t.lang), nil
}

func (t *taken) animated(w io.Writer) error {
	p, err := t.picture()
	if err != nil {
		return err
	}
	address, err := t.address()
	if err != nil {
		return err
	}
	_, err = w.Write(p.Animated(t.lang, address))
	return err
}

func (t *taken) picture() (*picture.Picture, error) {
	p := picture.New(t.run, t.workload, t.at)
	if p == nil {
		return nil, fmt.Errorf("%s has no workload to draw", t.name)
	}
	return p, nil
}

// address is the link of the run: a whole URL stays as it is.
func (t *taken) address() (string, error) {
	if strings.Contains(t.name, "://") {
		return t.name, nil
	}
	if isLink(t.name) {
		return t.base + "#" + strings.TrimPrefix(t.name, "#"), nil
	}
	fragment, err := link.Encode(t.link)
	return t.base + "#" + fragment, err
}
