package main

import (
	"flag"
	"fmt"

	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

// build writes the playground into a folder, and fails if a file is over its ceiling.
func build(args []string, c console) error {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	dir := fs.String("o", "dist", "folder to write to")
	address := fs.String("url", "", "where the site will be")
	debug := fs.Bool("debug", false, "keep line numbers and names of functions in app.wasm, which is then larger than its ceiling")
	if _, err := parse(fs, args, 0); err != nil {
		return err
	}
	if *address != "" {
		normal, err := pack.NormalURL(*address)
		if err != nil {
			return fmt.Errorf("%w: build: -url: %v", errUsage, err)
		}
		*address = normal
	}
	s, err := makeSite(pack.Options{Speed: speed(*debug), Debug: *debug, URL: *address}, c)
	if err != nil {
		return err
	}
	if err := s.WriteTo(*dir); err != nil {
		return err
	}
	if err := s.WriteSizes(c.out); err != nil {
		return err
	}
	if *debug {
		return nil
	}
	return s.CheckSizes()
}

// speed returns how hard to compress: a build for debugging is not published.
func speed(debug bool) pack.Speed {
	if debug {
		return pack.Fast
	}
	return pack.Small
}

// makeSite builds the site and prints its progress.
func makeSite(o pack.Options, c console) (*site.Site, error) {
	root, err := pack.Root()
	if err != nil {
		return nil, err
	}
	o.Root, o.Log = root, func(line string) { fmt.Fprintln(c.err, line) }
	return site.Build(o)
}
