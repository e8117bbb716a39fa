package main

import (
	"errors"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	tests := []struct {
		name, events string
		err          error
		want         string
		code         int
	}{
		{
			name: "all three results",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"why it failed\n"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"why it was skipped\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"fail","Package":"p","Elapsed":1.25}
`,
			err:  errors.New("exit status 1"),
			want: "why it failed\nwhy it was skipped\nFAIL\nFAIL  p (1.2 s)\n1 passed, 1 failed, 1 skipped\n",
			code: 1,
		},
		{
			name:   "a package that passes, and one without tests",
			events: `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p","Elapsed":2}` + "\n" + `{"Action":"skip","Package":"q"}`,
			want:   "ok    p (2.0 s)\n1 passed, 0 failed, 0 skipped\n",
		},
		{
			name:   "a package that does not compile",
			events: `{"Action":"build-output","ImportPath":"p","Output":"p.go:1: no\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"p"}` + "\n" + `{"Action":"fail","Package":"p"}`,
			err:    errors.New("exit status 1"),
			want:   "p.go:1: no\nFAIL  p (0.0 s)\n0 passed, 1 failed, 0 skipped\n",
			code:   1,
		},
		{
			name:   "a process that dies",
			events: `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: no\n"}` + "\n" + `{"Action":"fail","Package":"p"}`,
			err:    errors.New("exit status 1"),
			want:   "panic: no\nFAIL  p (0.0 s)\n0 passed, 1 failed, 0 skipped\n",
			code:   1,
		},
		{
			name:   "a go command that fails by itself",
			events: "go: no such flag\n",
			err:    errors.New("exit status 2"),
			want:   "go: no such flag\ngo test: exit status 2\n0 passed, 1 failed, 0 skipped\n",
			code:   1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			s := newSummary(&b)
			if err := s.readAll(strings.NewReader(tt.events)); err != nil {
				t.Fatal(err)
			}
			if code := s.finish(tt.err); code != tt.code || b.String() != tt.want {
				t.Errorf("got %d\n%s\nwant %d\n%s", code, b.String(), tt.code, tt.want)
			}
		})
	}
}
