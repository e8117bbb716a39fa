package realkubectl

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe" // go:linkname

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"

	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realserver"
)

// Job is a cluster at a moment, and lines to answer there, each as if it were the only one.
type Job struct {
	Now   time.Time
	Items []json.RawMessage
	Lines []string
	Feed  []Step        // what else changes while a line runs; then there is one line
	Limit time.Duration // how long it may run, 30 s if it is 0
}

// Step is a change of the cluster: an object as it is from a moment on, or the key of one that is gone.
type Step struct {
	At   time.Time
	Item json.RawMessage
	Gone string
}

// TimedLine is a line that was printed at a moment.
type TimedLine struct {
	At   time.Time
	Text string
}

// Answer is what a line printed and changed.
type Answer struct {
	Line    string
	Text    string // of both streams, as a terminal shows it
	Stderr  string // what of it went to the second
	Lines   []TimedLine
	Code    int
	Changed map[string]json.RawMessage // by key, null for what is deleted
	Before  map[string]json.RawMessage // what of it was there before
	Writes  []Write                    // in their order, of a line with a Feed
	Ended   time.Time
}

// Write is a write of an object: as it was before, and as it is afterwards, null if it is not there.
type Write struct {
	Key           string
	Before, After json.RawMessage
}

// kubeconfig leads to the server, whatever its address is: with https, kubectl would ask for a password. Its names are those that ours prints.
const kubeconfig = `apiVersion: v1
kind: Config
current-context: rollplay
clusters: [{name: rollplay, cluster: {server: "http://rollplay.invalid"}}]
users: [{name: rollplay, user: {}}]
contexts: [{name: rollplay, context: {cluster: rollplay, user: rollplay}}]
`

// gitVersion is the version of the real kubectl and server, as a build of a release has it.
//
//go:linkname gitVersion k8s.io/component-base/version.gitVersion
var gitVersion string

// defaultNamespace is what a cluster has before anything is applied.
const defaultNamespace = `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "uid": "1",
	"creationTimestamp": "2026-01-01T00:00:00Z"}, "status": {"phase": "Active"}}`

// klogEntry is a line of kubectl's log, whose errors go to a terminal.
//
// Simplified: ours has no such lines but those of -v=6.
var klogEntry = regexp.MustCompile(`(?m)^[IWEF]\d{4} .*\n`)

// clockMoved is how far the clock may go until the ages of what follows would be others: the process ends then.
const clockMoved = 300 * time.Millisecond

// served says that this process has been started by Ask.
const served = "ROLLPLAY_REAL_KUBECTL"

// Serve answers the job on the standard input and ends the process, if Ask has started it. Every program that calls Ask calls
// it first.
func Serve() {
	home := os.Getenv(served)
	if home == "" {
		return
	}
	gitVersion = print.KubernetesVersion // that of a module has $Format:%H$ in it, which kubectl version cannot parse
	check(version.SetDynamicVersion(gitVersion))
	klog.LogToStderr(false)
	utilruntime.ErrorHandlers = nil                         // they log, and pace themselves by the real clock
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2) // the goroutine for signals must begin outside of the bubble
	var job Job
	check(json.NewDecoder(os.Stdin).Decode(&job))
	check(os.Setenv("HOME", home))
	check(os.Setenv("KUBECONFIG", filepath.Join(home, "config")))
	os.Args = os.Args[:1]
	answers := os.Stdout
	os.Stdout = os.Stderr // some of kubectl's commands print there
	// A bubble needs a *testing.T. Its goroutines never end, so the process does.
	testing.Main(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "serve", F: func(t *testing.T) {
			synctest.Test(t, func(*testing.T) {
				serve(&job, home, answers)
				os.Exit(0)
			})
		}}}, nil, nil)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "realkubectl:", err)
		os.Exit(1)
	}
}

func serve(job *Job, home string, answers io.Writer) {
	time.Sleep(time.Until(job.Now))
	server, err := realserver.Start(true)
	check(err)
	check(server.Load(append([]json.RawMessage{json.RawMessage(defaultNamespace)}, job.Items...)))
	before := server.Entries()
	out := json.NewEncoder(answers)
	for name, text := range Files {
		check(os.MkdirAll(filepath.Dir(filepath.Join(home, "work", name)), 0o700))
		check(os.WriteFile(filepath.Join(home, "work", name), []byte(text), 0o600))
	}
	check(os.Chdir(filepath.Join(home, "work")))
	for _, line := range job.Lines {
		check(os.WriteFile(filepath.Join(home, "config"), []byte(kubeconfig), 0o600)) // the line before may have changed it
		go feed(server, job.Feed)
		a := Answer{Line: line}
		piped := strings.Split(line, " | kubectl ")
		input := ""
		for i, one := range piped {
			words, stdin := words(one)
			if i > 0 {
				stdin = input
			}
			file := filepath.Join(home, "stdin")
			check(os.WriteFile(file, []byte(stdin), 0o600))
			os.Stdin, err = os.Open(file)
			check(err)
			past := filepath.Join(home, "stderr") // what kubectl prints past the streams that it is given
			stderr := os.Stderr
			os.Stderr, err = os.Create(past)
			check(err)
			t, code := run(server.Transport, words, stdin, cmp.Or(job.Limit, limit))
			check(os.Stderr.Close())
			os.Stderr = stderr
			early, err := os.ReadFile(past)
			check(err)
			t.precede(klogEntry.ReplaceAllString(string(early), ""))
			a.Stderr += t.errors.String()
			if input = t.out.String(); i < len(piped)-1 {
				a.Text += t.errors.String()
				continue
			}
			a.Text, a.Lines, a.Code = a.Text+t.both.String(), t.lines(), code
		}
		a.Ended = time.Now()
		if job.Limit > 0 {
			for _, w := range server.Requested() {
				a.Writes = append(a.Writes, Write{w.Key, orNull(w.Before), orNull(w.After)})
			}
		} else {
			a.compare(before, server.Entries())
		}
		check(out.Encode(a))
		if time.Since(job.Now) > clockMoved {
			return
		}
		server.Reset(before)
	}
}

func orNull(b []byte) json.RawMessage {
	if b == nil {
		return json.RawMessage("null")
	}
	return b
}

// feed lets the cluster change as it did in a run.
func feed(server *realserver.Server, steps []Step) {
	for _, s := range steps {
		time.Sleep(time.Until(s.At))
		if s.Gone != "" {
			server.Remove(s.Gone)
		} else {
			check(server.Load([]json.RawMessage{s.Item}))
		}
	}
}

// compare notes what a line has changed.
func (a *Answer) compare(before, after map[string]realserver.Entry) {
	a.Changed, a.Before = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for key, e := range after {
		old, had := before[key]
		if had && string(old.JSON) == string(e.JSON) {
			continue
		}
		a.Changed[key] = e.JSON
		if had {
			a.Before[key] = old.JSON
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			a.Changed[key] = json.RawMessage("null")
		}
	}
}
