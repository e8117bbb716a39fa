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
	s, err := makeSite(pack.Small, *address, c)
	if err != nil {
		return err
	}
	if err := s.WriteTo(*dir); err != nil {
		return err
	}
	if err := s.WriteSizes(c.out); err != nil {
		return err
	}
	return s.CheckSizes()
}

// makeSite builds the site and prints its progress.
func makeSite(speed pack.Speed, address string, c console) (*site.Site, error) {
	root, err := pack.Root()
	if err != nil {
		return nil, err
	}
	return site.Build(pack.Options{Root: root, Speed: speed, URL: address, Log: func(line string) { fmt.Fprintln(c.err, line) }})
}
