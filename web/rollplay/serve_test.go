package main

import (
	"net"
	"strings"
	"testing"
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

func TestUsageNamesEveryCommand(t *testing.T) {
	for _, name := range []string{"serve", "build", "run", "link", "version"} {
		if !strings.Contains(usage, "\n  rollplay "+name) {
			t.Errorf("the usage lacks %s", name)
		}
	}
}
