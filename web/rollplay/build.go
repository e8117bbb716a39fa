package main

import (
	"errors"
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

	embed      []string
	playground string
	still      bool
}

func buildCommand(c console) *cobra.Command {
	o := buildOptions{console: c}
	cmd := &cobra.Command{Use: "build", GroupID: building, Short: "write the playground as static files", Args: expects(0),
		RunE: ends(func([]string) { o.build() })}
	f := cmd.Flags()
	f.StringVarP(&o.dir, "output", "o", "dist", "the `folder` to write")
	f.StringVar(&o.url, "url", "", "the `address` that the site will have")
	f.BoolVar(&o.debug, "debug", false, "keep line numbers and names of functions in app.wasm, which is then larger than its ceiling")
	f.StringSliceVar(&o.embed, "embed", nil, "only embeds of these `scenarios`")
	f.StringVar(&o.playground, "playground", "", "with --embed: the `address` of a playground, to which their links lead")
	f.BoolVar(&o.still, "still", false, "with --embed: without the program")
	return cmd
}

func (o *buildOptions) build() {
	for flag, address := range map[string]*string{"--url": &o.url, "--playground": &o.playground} {
		if *address != "" {
			whole, err := pack.NormalURL(*address)
			must.Do(usageError(flag, err))
			*address = whole
		}
	}
	if len(o.embed) == 0 && (o.still || o.playground != "") {
		must.Do(usageError("--embed", errors.New("--still and --playground belong to it")))
	}
	settings := pack.Options{Speed: pack.Small, Debug: o.debug, URL: o.url, Embed: o.embed, Playground: o.playground, Still: o.still}
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
