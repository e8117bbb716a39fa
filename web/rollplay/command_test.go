package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rollplay/rollplay/app/version"
)

// spellings are the flags that scripts may have, each with a value and with the name of the flag today. A flag without a value is a
// switch.
var spellings = map[string][]struct{ old, value, now string }{
	"serve": {{"addr", "localhost:1", "addr"}},
	"build": {{"o", "folder", "output"}, {"url", "https://example.org/", "url"}, {"debug", "", "debug"}, {"embed", "first-rollout", "embed"},
		{"playground", "https://example.org/", "playground"}, {"still", "", "still"}},
	"run":      {{"o", "json", "output"}, {"kubectl", "get rs -w", "kubectl"}, {"at", "9s", "at"}, {"check", "", "check"}, {"requests", "", "requests"}},
	"forecast": {{"o", "json", "output"}, {"seeds", "1000", "seeds"}, {"of", "deployment/web", "of"}, {"base", "https://x/", "base"}, {"shard", "1/4", "shard"}},
	"sweep": {{"x", "maxSurge", "columns"}, {"y", "maxUnavailable=0,1,25%", "rows"}, {"of", "web", "of"}, {"o", "csv", "output"},
		{"color", "peakPods", "color"}, {"paired", "", "paired"}, {"base", "https://x/", "base"}, {"shard", "1/4", "shard"}},
	"capacity": {{"o", "json", "output"}, {"seeds", "10", "seeds"}, {"of", "web", "of"}, {"node", "cpu=4,memory=8Gi,pods=110", "node"}},
	"prove": {{"crash", "", "crash"}, {"node", "", "node"}, {"min-available", "5", "min-available"}, {"max-pods", "8", "max-pods"},
		{"max", "20", "max"}, {"every", "", "every"}, {"of", "web", "of"}, {"o", "json", "output"}, {"base", "https://x/", "base"}},
	"check": {{"from", "old.yaml", "from"}, {"nodes", "nodes.yaml", "nodes"}, {"policy", "policy.yaml", "policy"}, {"o", "sarif", "output"},
		{"svg", "x.svg", "svg"}, {"base", "https://x/", "base"}, {"skip-others", "", "skip-others"}, {"v", "", "verbose"}, {"seeds", "5", "seeds"},
		{"min-available", "75%", "min-available"}, {"max-outage", "0s", "max-outage"}, {"max-duration", "10m", "max-duration"},
		{"max-pods", "8", "max-pods"}, {"max-cpu", "4", "max-cpu"}, {"max-memory", "8Gi", "max-memory"},
		{"max-failed", "0.01%", "max-failed"}, {"shard", "1/4", "shard"}, {"render", "helm template .", "render"}, {"only-worse", "", "only-worse"},
		{"baseline", "b.json", "baseline"}, {"write-baseline", "b.json", "write-baseline"}, {"cluster", "c.yaml", "cluster"},
		{"today", "2026-11-25", "today"}},
	"link": {{"base", "https://x/", "base"}},
	"export": {{"o", "svg", "output"}, {"theme", "dark", "theme"}, {"base", "https://x/", "base"}, {"to", "x.svg", "to"}, {"at", "12s", "at"},
		{"of", "web", "of"}, {"lang", "zh-CN", "lang"}, {"font", "x.ttf", "font"}},
	"poster": {{"o", "x.svg", "output"}, {"alt", "", "alt"}, {"at", "12s", "at"}, {"of", "web", "of"}, {"lang", "zh", "lang"}, {"font", "x.ttf", "font"}},
}

// parsed returns the value of a flag after a command line was read, and the other arguments.
func parsed(t *testing.T, args []string, flag string) (value string, rest []string) {
	t.Helper()
	root := newRoot("rollplay", console{nil, io.Discard, io.Discard, newWatch()})
	cmd, tail, err := root.Find(doubleDashes(root, args))
	if err == nil {
		err = cmd.ParseFlags(tail)
	}
	if err != nil {
		t.Errorf("%q: %v", args, err)
		return "", nil
	}
	f := cmd.Flags().Lookup(flag)
	if !f.Changed {
		t.Errorf("%q does not set --%s", args, flag)
	}
	return f.Value.String(), cmd.Flags().Args()
}

// TestSpellings checks that each spelling of each flag is read like the long one, before and after the argument, and that no flag of the
// command is missing in the table.
func TestSpellings(t *testing.T) {
	for command, flags := range spellings {
		known := map[string]bool{"help": true}
		if slices.Contains([]string{"run", "forecast", "sweep", "capacity", "prove", "check"}, command) {
			flags = append(flags, []struct{ old, value, now string }{{"timeout", "1m0s", "timeout"}, {"memory", "1Gi", "memory"}}...)
		}
		for _, f := range flags {
			known[f.now] = true
			long := []string{command, "--" + f.now, "file"}
			if f.value != "" {
				long = []string{command, "--" + f.now + "=" + f.value, "file"}
			}
			want, rest := parsed(t, long, f.now)
			if len(rest) != 1 || rest[0] != "file" {
				t.Errorf("%q leaves %q", long, rest)
			}
			for _, dashes := range []string{"-", "--"} {
				name := dashes + f.old
				lines := [][]string{{command, name, "file"}, {command, "file", name}, {command, name + "=true", "file"}}
				if f.value != "" {
					lines = [][]string{{command, name, f.value, "file"}, {command, "file", name, f.value}, {command, name + "=" + f.value, "file"}}
				}
				for _, line := range lines {
					if got, rest := parsed(t, line, f.now); got != want || len(rest) != 1 || rest[0] != "file" {
						t.Errorf("%q: got %q and %q, want %q and the file", line, got, rest, want)
					}
				}
			}
		}
		cmd, _, err := newRoot("rollplay", console{watch: newWatch()}).Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !known[f.Name] {
				t.Errorf("%s --%s has no line in the table", command, f.Name)
			}
		})
	}
}

// TestValuesKeepTheirDashes checks that a value that looks like a flag stays as it is, and so do arguments after --.
func TestValuesKeepTheirDashes(t *testing.T) {
	for _, line := range []string{"run -kubectl -check file", "run --kubectl -check file", "run file -kubectl -check"} {
		if got, _ := parsed(t, strings.Fields(line), "kubectl"); got != "-check" {
			t.Errorf("%s: got %q", line, got)
		}
	}
	if _, rest := parsed(t, []string{"run", "-check", "--", "-at"}, "check"); len(rest) != 1 || rest[0] != "-at" {
		t.Errorf("got %q", rest)
	}
}

// TestHelp checks that each command has a page with its examples and with the exit codes, and that the examples are command lines.
func TestHelp(t *testing.T) {
	_, overview, _ := command("", "--help")
	for _, cmd := range newRoot("rollplay", console{watch: newWatch()}).Commands() {
		if !strings.Contains(overview, "\n  "+cmd.Name()+" ") {
			t.Errorf("the overview lacks %s", cmd.Name())
		}
		for _, args := range [][]string{{cmd.Name(), "--help"}, {cmd.Name(), "-h"}, {"help", cmd.Name()}} {
			code, page, stderr := command("", args...)
			if code != 0 || stderr != "" || !strings.Contains(page, "Usage:") || !strings.HasSuffix(page, exitCodes) {
				t.Errorf("%q: exit %d, %s\n%s", args, code, stderr, page)
			}
		}
		if cmd.Example == "" && cmd.Name() != "docs" && cmd.Name() != "version" {
			t.Errorf("%s has no example", cmd.Name())
		}
		for line := range strings.Lines(cmd.Example) {
			checkExample(t, strings.TrimSpace(line))
		}
	}
}

// TestDocumentedLines checks that the commands in the documents, and in what authors copy, are command lines.
func TestDocumentedLines(t *testing.T) {
	files, _ := filepath.Glob("../docs/*/*[dhl]") // .md, .yml, .yaml, .sh
	lines := 0
	for _, file := range append(files, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		for _, line := range regexp.MustCompile("(?m)[ `/]rollplay (?:[a-z]+ [^`\n]*)").FindAllString(strings.ReplaceAll(string(text), "${{ matrix.shard }}", "0"), -1) {
			line, _, _ = strings.Cut(line, "  #")
			if cmd, _, err := newRoot("rollplay", console{watch: newWatch()}).Find(strings.Fields(line)[1:2]); err == nil && cmd.HasParent() {
				checkExample(t, line)
				lines++
			}
		}
	}
	if lines < 15 {
		t.Errorf("the documents have only %d lines", lines)
	}
}

// checkExample reads the part of a line that begins with rollplay.
func checkExample(t *testing.T, line string) {
	t.Helper()
	_, args, found := strings.Cut(line, "rollplay ")
	args, _, _ = strings.Cut(args, " > ")
	root := newRoot("rollplay", console{nil, io.Discard, io.Discard, newWatch()})
	cmd, rest, err := root.Find(doubleDashes(root, strings.Fields(strings.ReplaceAll(args, "'get rs -w'", "get"))))
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil || !found || !cmd.HasParent() {
		t.Errorf("%s: %v", line, err)
	}
}

// TestSuggestions checks that a typo in a command or flag is answered with what it may mean.
func TestSuggestions(t *testing.T) {
	for args, want := range map[string]string{
		"forcast x":              `rollplay: there is no command "forcast"; did you mean forecast?`,
		"pro":                    "did you mean prove?",
		"conquer":                "there is no command \"conquer\"\n",
		"check x --min-availabl": "rollplay check: there is no flag --min-availabl; did you mean --min-available?",
		"check x -polcy p":       "did you mean --policy?",
		"run x -zzzzzz":          "there is no flag -zzzzzz\n",
		"prove x --max many":     `--max is at least 1, not "many"`,
		"check - -seeds 0":       `--seeds is a number from 1 to 10000, not "0"`,
	} {
		code, stdout, stderr := command("", strings.Fields(args)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) || !strings.Contains(stderr, "Usage:") {
			t.Errorf("%s: exit %d, %s%s, want %s", args, code, stdout, stderr, want)
		}
	}
}

// TestPlugin checks the names that kubectl gives its plugins, and that the help then has the words that people type.
func TestPlugin(t *testing.T) {
	for path, want := range map[string]string{"/usr/bin/rollplay": "rollplay", "kubectl-rollplay": "kubectl rollplay",
		"/opt/kubectl-rollplay": "kubectl rollplay", "/opt/kubectl_complete-rollplay": "kubectl rollplay"} {
		if got := programName(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	plugin := func(args ...string) string {
		var out, err bytes.Buffer
		execute("kubectl rollplay", args, console{strings.NewReader(""), &out, &err, newWatch()})
		return out.String() + err.String()
	}
	for _, want := range []string{"Usage:\n  kubectl rollplay check MANIFESTS... [flags]", "helm template . | kubectl rollplay check - "} {
		if got := plugin("check", "--help"); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := plugin("chek"); !strings.HasPrefix(got, `kubectl rollplay: there is no command "chek"`) {
		t.Error(got)
	}
	if args := pluginArguments([]string{"/opt/kubectl_complete-rollplay", "ru"}); strings.Join(args, " ") != "__complete ru" {
		t.Error(args)
	}
	if args := pluginArguments([]string{"rollplay", "run"}); strings.Join(args, " ") != "run" {
		t.Error(args)
	}
}

// TestCompletion checks the scripts for the shells, and what they ask the command.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, script, stderr := command("", "completion", shell); code != 0 || stderr != "" || !strings.Contains(script, "rollplay") {
			t.Errorf("%s: exit %d, %s", shell, code, stderr)
		}
	}
	for line, want := range map[string][]string{
		"fore":                       {"forecast\tprint how each rollout went, in numbers"},
		"run first-":                 {"first-rollout"},
		"run first-rollout ":         {":4"}, // no second file
		"export x -o ani":            {"animated", "now"},
		"sweep x --color peak":       {"peakPods", "peakCPU"},
		"check web.yaml --max":       {"--max-pods", "--max-outage"},
		"check web.yaml --output js": {"json"},
	} {
		args := strings.Split(line, " ")
		_, out, _ := command("", append([]string{cobra.ShellCompRequestCmd}, args...)...)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%q: no %q in\n%s", line, w, out)
			}
		}
	}
}

// TestManPages checks that each command has a man page with its flags, its examples and the exit codes.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if code, stdout, stderr := command("", "docs", "man", "-o", dir); code != 0 || !strings.Contains(stdout, dir) || stderr != "" {
		t.Fatalf("exit %d, %s%s", code, stdout, stderr)
	}
	for name, wants := range map[string][]string{
		"rollplay.1":          {"rollplay \\- a playground", "rollplay-check(1)", "Exit codes:", "rollplay " + version.Number},
		"rollplay-check.1":    {"\\-\\-min-available", "-v\\fP, \\fB--verbose", "helm template", "Exit codes:", "Nov 2023"},
		"rollplay-run.1":      {"--kubectl", "Exit codes:"},
		"rollplay-docs-man.1": {"--output"},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(page), want) && !strings.Contains(strings.ReplaceAll(string(page), `\-`, "-"), strings.ReplaceAll(want, `\-`, "-")) {
				t.Errorf("%s: no %q in\n%s", name, want, page)
			}
		}
	}
}
