package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

func TestListenTakesAnotherPortWhenTheOneIsTaken(t *testing.T) {
	taken, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	l, err := listen(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Addr().String() == taken.Addr().String() {
		t.Errorf("both listen on %s", l.Addr())
	}
}

func TestListenFailsForAHostThatIsNotHere(t *testing.T) {
	if l, err := listen("256.0.0.1:8000"); err == nil {
		l.Close()
		t.Error("got no error")
	}
}

func TestAddress(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8001}
	for asked, want := range map[string]string{
		"localhost:8000": "http://localhost:8001/",
		":8000":          "http://localhost:8001/",
		"0.0.0.0:8000":   "http://localhost:8001/",
		"[::1]:8000":     "http://[::1]:8001/",
		"127.0.0.1:8000": "http://127.0.0.1:8001/",
	} {
		if got := address(asked, at); got != want {
			t.Errorf("address(%q) = %s, want %s", asked, got, want)
		}
	}
}

// TestServerHasTimeouts: a client that sends half a request loses its connection, and the others are served meanwhile.
func TestServerHasTimeouts(t *testing.T) {
	s := server(http.NotFoundHandler(), console{err: io.Discard})
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.IdleTimeout <= 0 || s.WriteTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("a limit is missing: %+v", s)
	}
	s.ReadHeaderTimeout = 50 * time.Millisecond // only the limit is shorter than in use
	l, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	defer s.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	res, err := http.Get("http://" + l.Addr().String() + "/")
	if err != nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("another client gets %v, %v", res, err)
	}
	res.Body.Close()
	if _, err := io.ReadAll(conn); err != nil { // it ends when the server closes the connection
		t.Error(err)
	}
}
