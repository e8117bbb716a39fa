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
	"github.com/rollplay/rollplay/web/site/pack"
)

// serveOptions are the flags of rollplay serve.
type serveOptions struct {
	console
	addr string
}

func serveCommand(c console) *cobra.Command {
	o := serveOptions{console: c}
	cmd := &cobra.Command{Use: "serve", GroupID: building, Short: "build the playground and serve it on this machine", Args: expects(0),
		RunE: ends(func([]string) { o.serve() })}
	cmd.Flags().StringVar(&o.addr, "addr", "localhost:8000", "host and port to listen on")
	return cmd
}

func (o *serveOptions) serve() {
	// Listen first: people learn before the build, not after it, that the port is not available.
	l := must.Have(listen(o.addr))
	defer l.Close()
	s := makeSite(pack.Options{Speed: pack.Fast}, o.console)
	fmt.Fprintln(o.out, address(o.addr, l.Addr()))
	must.Do(server(s.Handler(), o.console).Serve(l))
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
		return nil, usageError("--addr", err)
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
