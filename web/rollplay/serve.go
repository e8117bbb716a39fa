package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/rollplay/rollplay/web/site/pack"
)

// serve builds the playground and serves it until the process ends.
func serve(args []string, c console) error {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := fs.String("addr", "localhost:8000", "host and port to listen on")
	if _, err := parse(fs, args, 0); err != nil {
		return err
	}
	// Listen first: people learn before the build, not after it, that the port is not available.
	l, err := listen(*addr)
	if err != nil {
		return err
	}
	defer l.Close()
	s, err := makeSite(pack.Options{Speed: pack.Fast}, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, address(*addr, l.Addr()))
	return server(s.Handler(), c).Serve(l)
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
		return nil, fmt.Errorf("%w: serve: -addr: %v", errUsage, err)
	}
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	return l, err
}

// address returns the URL to open: the host that the person asked for, with the port that listen found.
func address(asked string, got net.Addr) string {
	host, _, err := net.SplitHostPort(asked)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(got.(*net.TCPAddr).Port)) + "/"
}
