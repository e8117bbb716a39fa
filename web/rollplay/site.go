package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

func serveCommand(c console) *cobra.Command {
	var addr string
	cmd := &cobra.Command{Use: "serve", GroupID: building, Short: "build the playground and serve it on this machine", Args: expects(0),
		RunE: ends(func([]string) { serve(addr, c) })}
	cmd.Flags().StringVar(&addr, "addr", "localhost:8000", "host and port to listen on")
	return cmd
}

func serve(addr string, c console) {
	// Listen first: people learn before the build, not after it, that the port is not available.
	l := must.Have(listen(addr))
	defer l.Close()
	s := makeSite(pack.Options{Speed: pack.Fast}, c)
	fmt.Fprintln(c.out, address(addr, l.Addr()))
	must.Do(server(s.Handler(), c).Serve(l))
}

// server has time-outs, so that a client that sends nothing, or a byte now and then, doesn't hold a connection permanently.
// An answer may take its time: a slow line needs minutes for the program.
func server(h http.Handler, c console) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      15 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(c.err, "", log.LstdFlags),
	}
}

// listen opens the given port, or any free one if another program has it.
func listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%w: --addr: %v", errUsage, err)
	}
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	return l, err
}

// address returns the URL to open: the requested host, with the port that listen found.
func address(asked string, got net.Addr) string {
	host, _, err := net.SplitHostPort(asked)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(got.(*net.TCPAddr).Port)) + "/"
}

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
			wrongIf(err != nil, "%s: %v", flag, err)
			*address = whole
		}
	}
	wrongIf(len(o.embed) == 0 && (o.still || o.playground != ""), "--embed: --still and --playground belong to it")
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
