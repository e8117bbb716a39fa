// Package realkubectl runs the real kubectl, the whole command tree, against the server of package realserver, in fake time.
//
// The server's goroutines never end, and a command that waits takes the clock along. So each moment gets a process of its own:
// Ask starts this program again, and Serve is what it does then.
package realkubectl

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	restclient "k8s.io/client-go/rest"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	"k8s.io/klog/v2"
	"k8s.io/kubectl/pkg/cmd"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// Running is the exit code of a command that has not ended within the limit.
const Running = -1

// Crashed is the exit code of a command that has panicked, or whose process has died or hung.
const Crashed = -2

// limit is the virtual time that a command may take.
const limit = 30 * time.Second

// terminal collects what a command prints.
type terminal struct {
	mu                sync.Mutex
	both, out, errors strings.Builder
	parts             []part
}

// part is where the text of a moment ends.
type part struct {
	at  time.Time
	end int
}

// lines returns what was printed, each line with the moment at which it ended.
func (t *terminal) lines() (list []TimedLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	end, parts := 0, t.parts
	for line := range strings.Lines(t.both.String()) {
		for end += len(line); len(parts) > 1 && parts[0].end < end; {
			parts = parts[1:]
		}
		list = append(list, TimedLine{parts[0].at, strings.TrimSuffix(line, "\n")})
	}
	return list
}

// precede puts a text in front: kubectl logs says first, and past its streams, which pod it has chosen.
func (t *terminal) precede(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	both, errors := t.both.String(), t.errors.String()
	t.both.Reset()
	t.both.WriteString(text + both)
	t.errors.Reset()
	t.errors.WriteString(text + errors)
	for i := range t.parts {
		t.parts[i].end += len(text)
	}
}

// stream is one of the two outputs of a terminal.
type stream struct {
	*terminal
	stderr bool
}

// Write implements io.Writer.
func (s stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// cobra prints help to stdout and deprecations to stderr, and has one writer for both here.
	if s.stderr || strings.HasPrefix(string(b), "Flag --") {
		s.errors.Write(b)
	} else {
		s.out.Write(b)
	}
	// What goes to stderr begins a line of its own here, also behind a template that does not end its line.
	if text := s.both.String(); s.stderr && text != "" && !strings.HasSuffix(text, "\n") {
		s.both.WriteByte('\n')
	}
	n, err := s.both.Write(b)
	s.parts = append(s.parts, part{time.Now(), s.both.Len()})
	return n, err
}

// logged takes what klog prints of kubectl itself with -v: the server logs in the same process, and asks for the API's types only
// while a cache is empty. The number of the process, the user's home and the password-free http are the judge's own.
type logged struct{ errs stream }

var (
	ofKubectl = regexp.MustCompile(`^I\S+ \S+ +\d+ (loader|round_trippers|helpers|table_printer)\.go:`)
	discovery = regexp.MustCompile(`url="[^"]*/apis?\?timeout=`)
	process   = regexp.MustCompile(`^(I\S+ \S+) +\d+`)
	home      = regexp.MustCompile(`(from file:  ).*/config`)
)

// Write implements io.Writer; klog writes one entry at a time.
func (l logged) Write(b []byte) (int, error) {
	if !ofKubectl.Match(b) || discovery.Match(b) {
		return len(b), nil
	}
	b = home.ReplaceAll(process.ReplaceAll(b, []byte("$1       1")), []byte("${1}/home/you/.kube/config"))
	return l.errs.Write(bytes.Replace(b, []byte(`url="http:`), []byte(`url="https:`), 1))
}

// exited is the panic that stands for os.Exit in kubectl's code.
type exited struct{ code int }

// run carries out a line and returns what it printed, and its exit code.
func run(server http.RoundTripper, words []string, stdin string, limit time.Duration) (*terminal, int) {
	t, done := new(terminal), make(chan int, 1)
	go func() {
		defer func() {
			switch e := recover().(type) {
			case nil:
			case exited:
				done <- e.code
			default:
				stream{t, true}.Write(fmt.Appendf(nil, "panic: %v\n", e)) //nolint:errcheck // it is memory
				done <- Crashed
			}
		}()
		execute(t, server, words, stdin)
		done <- 0
	}()
	select {
	case code := <-done:
		return t, code
	case <-time.After(limit):
		return t, Running
	}
}

// execute does what kubectl's main does (cmd/kubectl/kubectl.go, component-base cli/run.go:run).
func execute(t *terminal, server http.RoundTripper, words []string, stdin string) {
	out, errs := stream{t, false}, stream{t, true}
	cmdutil.BehaviorOnFatal(func(message string, code int) {
		if message != "" {
			io.WriteString(errs, strings.TrimSuffix(message, "\n")+"\n") //nolint:errcheck // it is memory
		}
		panic(exited{code})
	})
	streams := genericiooptions.IOStreams{In: strings.NewReader(stdin), Out: out, ErrOut: errs}
	flags := genericclioptions.NewConfigFlags(true).WithDeprecatedPasswordFlag().WithDiscoveryBurst(300).WithDiscoveryQPS(50).
		WithWarningPrinter(streams).WithWrapConfigFn(func(c *restclient.Config) *restclient.Config {
		c.Transport, c.QPS = server, -1
		return c
	})
	klog.SetOutput(logged{errs})
	os.Args = append([]string{"kubectl"}, words...)
	c := cmd.NewDefaultKubectlCommandWithArgs(cmd.KubectlOptions{Arguments: os.Args, ConfigFlags: flags, IOStreams: streams})
	c.SetArgs(words)
	c.SetOut(out)
	c.SetErr(errs)
	c.SetGlobalNormalizationFunc(cliflag.WordSepNormalizeFunc)
	if !c.SilenceUsage {
		c.SilenceUsage = true
		c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
			c.SilenceUsage = false
			return err
		})
	}
	c.SilenceErrors = true
	logs.AddFlags(c.PersistentFlags())
	check(c.PersistentFlags().Set("v", "0")) // the line before may have set it
	if err := c.Execute(); err != nil {
		cmdutil.CheckErr(err)
	}
}
