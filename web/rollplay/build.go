package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

// buildOptions are the flags of rollplay build.
type buildOptions struct {
	console
	dir, url string
	debug    bool
}

func buildCommand(c console) *cobra.Command {
	o := buildOptions{console: c}
	cmd := &cobra.Command{Use: "build", GroupID: building, Short: "write the playground as static files", Args: expects(0),
		RunE: func(*cobra.Command, []string) error { return o.build() }}
	cmd.Long = `build writes the playground as static files, which work under any path. The sitemap, the previews
and oEmbed contain whole addresses and need --url. The build fails if a file is over its ceiling, or
if the patches of Go's runtime do not fit the installed Go.`
	cmd.Example = "  rollplay build --output dist --url https://example.org/rollplay/"
	f := cmd.Flags()
	f.StringVarP(&o.dir, "output", "o", "dist", "the `folder` to write")
	f.StringVar(&o.url, "url", "", "the `address` that the site will have")
	f.BoolVar(&o.debug, "debug", false, "keep line numbers and names of functions in app.wasm, which is then larger than its ceiling")
	return cmd
}

func (o *buildOptions) build() (err error) {
	if o.url != "" {
		if o.url, err = pack.NormalURL(o.url); err != nil {
			return fmt.Errorf("%w: --url: %v", errUsage, err)
		}
	}
	settings := pack.Options{Speed: pack.Small, Debug: o.debug, URL: o.url}
	if o.debug { // it is not published
		settings.Speed = pack.Fast
	}
	s, err := makeSite(settings, o.console)
	if err != nil {
		return err
	}
	if err := s.WriteTo(o.dir); err != nil {
		return err
	}
	if err := s.WriteSizes(o.out); err != nil || o.debug {
		return err
	}
	return s.CheckSizes()
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
