package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/web/must"
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
		RunE: ends(func([]string) { o.build() })}
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

func (o *buildOptions) build() {
	if o.url != "" {
		address, err := pack.NormalURL(o.url)
		must.Do(usageError("--url", err))
		o.url = address
	}
	settings := pack.Options{Speed: pack.Small, Debug: o.debug, URL: o.url}
	if o.debug { // it is not published
		settings.Speed = pack.Fast
	}
	s := makeSite(settings, o.console)
	must.Do(s.WriteTo(o.dir))
	must.Do(s.WriteSizes(o.out))
	if !o.debug {
		must.Do(s.CheckSizes())
	}
}

// makeSite builds the site and prints its progress.
func makeSite(o pack.Options, c console) *site.Site {
	o.Root, o.Log = must.Have(pack.Root()), func(line string) { fmt.Fprintln(c.err, line) }
	return must.Have(site.Build(o))
}
