package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestMain lets the test binary stand for the command, so that scripts can be tried with it.
func TestMain(m *testing.M) {
	if os.Getenv("ROLLPLAY_AS_COMMAND") != "" {
		main()
	}
	os.Exit(m.Run())
}

// actionFile is action.yml, as far as the tests read it.
type actionFile struct {
	Inputs map[string]struct {
		Default  string
		Required bool
	}
	Runs struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Run, Uses, If string
	Env               map[string]string
}

func readAction(t *testing.T) (a actionFile) {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &a)
	}
	if err != nil || a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatal(err, a)
	}
	return a
}

// step returns the step whose command has a text.
func (a *actionFile) step(t *testing.T, run string) actionStep {
	t.Helper()
	i := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return strings.Contains(s.Run, run) })
	if i < 0 {
		t.Fatalf("no step runs %s", run)
	}
	return a.Runs.Steps[i]
}

// command returns the command of a step as GitHub runs it, with the values of expressions.
func (s *actionStep) command(t *testing.T, dir string, values map[string]string) *exec.Cmd {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-e", "-c", s.Run)
	c.Dir = dir
	c.Env = append(os.Environ(), "ROLLPLAY_AS_COMMAND=1", "RUNNER_TEMP="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"),
		"GITHUB_OUTPUT="+filepath.Join(dir, "output"))
	for name, value := range s.Env {
		value = strings.ReplaceAll(value, "${{ github.action_path }}", root)
		value = strings.ReplaceAll(value, "${{ runner.temp }}/rollplay", binary)
		for input, x := range values {
			value = strings.ReplaceAll(value, "${{ "+input+" }}", x)
		}
		if strings.Contains(value, "${{") {
			t.Errorf("%s: %s is not known", name, value)
		}
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// TestAction runs the step of action.yml as GitHub does: with its inputs as variables, a summary and an output file.
func TestAction(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	action := readAction(t)
	step := action.step(t, "check.sh")
	unmodelled := strings.Replace(deployed, "{containers", "{schedulerName: other, containers", 1)
	recreate := strings.Replace(deployed, "  replicas: 4\n", "  replicas: 4\n  strategy: {type: Recreate}\n", 1)
	args := func(text string) map[string]string { return map[string]string{"arguments": text} }
	for _, tt := range []struct {
		inputs                map[string]string
		manifest              string
		works                 bool
		verdict, says, stderr string
	}{
		{nil, deployed, true, "pass", "### ✅ rollplay check: pass", ""},
		{args("-min-available 100% -seeds 2"), deployed, false, "fail", "Lowest availability: 3 of 4", ""},
		{args("; touch hacked"), deployed, false, "", "", "no such file"},
		{nil, unmodelled, true, "unknown", "The scheduler other decides", ""},
		{map[string]string{"unknown": "fail"}, unmodelled, false, "unknown", "The scheduler other decides", ""},
		{nil, "{{ template }}", false, "", "", "helm template"},
		// Several lines, quotes, empty words, carriage returns.
		{args("-max-duration 10m\n-min-available 75%"), recreate, false, "fail", "Lowest availability: 0 of 4", ""},
		{args("-max-duration 10m\r\n\r\n-min-available 75%\r\n"), recreate, false, "fail", "Lowest availability: 0 of 4", ""},
		{args(`--min-available "75%" --max-outage='1m' --of ''`), recreate, false, "", "", "there is no flag --of"},
		{args(`--min-available "0" --policy "" --max-outage='1m'`), recreate, true, "pass", "pass", ""},
		{args(`--policy "my policy.yaml"`), deployed, false, "", "", "my policy.yaml"},
		{args(`--policy "my policy.yaml`), deployed, false, "", "", "a quote has no end"},
		{args(`--policy "$(touch hacked)" --from '` + "`touch hacked`'"), deployed, false, "", "", "touch hacked"},
		{args(" \n "), deployed, true, "pass", "pass", ""},
		// What is printed is a report, whatever the arguments ask for.
		{args("-o json"), deployed, true, "pass", "### ✅ rollplay check: pass", ""},
		{args("-o markdown=mine.md"), deployed, true, "pass", "### ✅ rollplay check: pass", ""},
		{args("--help"), deployed, false, "", "", "without a report"},
		// Files: patterns, names with dashes and spaces.
		{map[string]string{"manifests": "w*.yaml\n\n--v.yaml\nmy web.yaml"}, deployed, true, "pass", "deployment/spaced", ""},
		{map[string]string{"manifests": "--v.yaml"}, deployed, true, "pass", "deployment/dashed", ""},
		{map[string]string{"manifests": "nothing*.yaml"}, deployed, false, "", "", "there is no file nothing*.yaml"},
		{map[string]string{"manifests": "\n"}, deployed, false, "", "", "no file is given"},
		{map[string]string{"manifests": "", "render": "cat web.yaml"}, deployed, true, "pass", "deployment/web", ""},
		{map[string]string{"manifests": "", "render": "exit 4"}, deployed, false, "", "", "exit status 4"},
		{map[string]string{"from": "web.yaml", "only-worse": "true", "arguments": "--min-available 100%"}, deployed, true, "pass", "unchanged", ""},
		{map[string]string{"only-worse": "true"}, deployed, false, "", "", "give --from"},
		{map[string]string{"base": "https://rollplay.example/"}, deployed, true, "pass", "[Watch the update](https://rollplay.example/#1.", ""},
		{map[string]string{"cluster": "nowhere.yaml"}, deployed, false, "", "", "nowhere.yaml"},
		{map[string]string{"baseline": "nowhere.json"}, deployed, false, "", "", "nowhere.json"},
		{map[string]string{"from": "git:main"}, deployed, false, "", "", "--from git:main"},
		// Custom resources only: nothing fails.
		{nil, "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n", true, "pass", "there is no workload", ""},
		{nil, "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a}]}}}\n", true, "unknown",
			"The kind Rollout of argoproj.io/v1alpha1 is not modelled", ""},
	} {
		dir := t.TempDir()
		file := func(name string) string { return filepath.Join(dir, name) }
		for name, text := range map[string]string{"web.yaml": tt.manifest, "--v.yaml": strings.ReplaceAll(deployed, "web", "dashed"),
			"my web.yaml": strings.ReplaceAll(deployed, "web", "spaced")} {
			if err := os.WriteFile(file(name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		inputs := map[string]string{"inputs.manifests": "web.yaml", "inputs.sarif": "out.sarif"}
		for name, x := range action.Inputs {
			if _, given := inputs["inputs."+name]; !given {
				inputs["inputs."+name] = x.Default
			}
		}
		for name, value := range tt.inputs {
			inputs["inputs."+name] = value
		}
		c := step.command(t, dir, inputs)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		summary, _ := os.ReadFile(file("summary"))
		output, _ := os.ReadFile(file("output"))
		if (err == nil) != tt.works || !strings.Contains(string(summary), tt.says) || !strings.Contains(stderr.String(), tt.stderr) ||
			tt.verdict != "" && string(output) != "verdict="+tt.verdict+"\nreport="+dir+"/rollplay-report.md\n" || tt.verdict == "" && len(output)+len(summary) > 0 {
			t.Errorf("%v: %v, output %q\n%s%s", tt.inputs, err, output, summary, stderr.String())
		}
		if _, err := os.Stat(file("hacked")); err == nil {
			t.Error("an input was taken for shell")
		}
		if !stopped.MatchString(stdout.String()) {
			t.Errorf("%v: the runner's commands are not off around the whole output:\n%s", tt.inputs, stdout.String())
		}
		if annotated := regexp.MustCompile(`\n::[0-9a-f]{32}::\n::error file=`); annotated.MatchString(stdout.String()) != (tt.verdict == "fail") {
			t.Errorf("%v: annotations\n%s", tt.inputs, stdout.String())
		}
		if tt.verdict != "" {
			sarif, err := os.ReadFile(file("out.sarif"))
			if err != nil || !json.Valid(sarif) {
				t.Errorf("SARIF: %v\n%s", err, sarif)
			}
		}
	}
}

// stopped matches an output in which the runner obeys no commands but annotations: the first line turns them off, and a later one on again.
var stopped = regexp.MustCompile(`(?s)^::stop-commands::[0-9a-f]{32}\n(?:.*\n)?::[0-9a-f]{32}::\n(?:::(?:error|warning|notice) file=[^\n]*\n)*` +
	`(?:rollplay check: \w+\n)?$`)

// TestActionWithoutReport: a program that ends with a code of check, but without its report, gives no verdict.
func TestActionWithoutReport(t *testing.T) {
	for _, does := range []string{"exit 0", "exit 1", "exit 3", "echo '### ❌ rollplay check: fail'; exit 0", "kill -9 $$", "echo Usage; exit 1"} {
		dir := t.TempDir()
		program, output := filepath.Join(dir, "rollplay"), filepath.Join(dir, "output")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("bash", "action/check.sh")
		c.Env = append(os.Environ(), "ROLLPLAY="+program, "MANIFESTS=action_test.go", "FROM=", "NODES=", "POLICY=", "ARGUMENTS=", "SARIF=", "UNKNOWN=pass",
			"RENDER=", "BASE=", "CLUSTER=", "BASELINE=", "ONLY_WORSE=false", "JUNIT=", "ANNOTATIONS=true", "RUNNER_TEMP="+dir,
			"GITHUB_STEP_SUMMARY="+output, "GITHUB_OUTPUT="+output)
		err := c.Run()
		if _, wrote := os.Stat(output); err == nil || wrote == nil {
			t.Errorf("%s: %v, and a verdict or a summary was written", does, err)
		}
	}
}

// newer are constructs that the bash 3.2 of macOS does not have, or has with another meaning.
var newer = regexp.MustCompile(`declare -[Agn]|local -n|mapfile|readarray|\$\{[^}]*(,|\^)\}|&>>|\|&|coproc|;;?&|\[-[0-9]+\]|wait -n|EPOCH|` +
	`\$'[^']*\\[uU]|\$\{[^}]*@[QEPAa]\}|globstar|lastpipe|(^|[^+])"\$\{(options|more)\[@\]\}"`)

// TestActionPinned: other actions have the hash of a commit, because tags move. Scripts run with the bash of macOS, which is 3.2.
func TestActionPinned(t *testing.T) {
	files := []string{"../../action.yml"}
	for _, pattern := range []string{"../../.github/workflows/*.yml", "action/*.sh"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 3 {
			t.Fatal(err, found)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, uses := range regexp.MustCompile(`(?m)^[\s-]*uses: *(.*)`).FindAllStringSubmatch(string(text), -1) {
			if uses[1] != "./" && !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v[\d.]+$`).MatchString(uses[1]) {
				t.Errorf("%s: %s is not pinned to a commit with its version behind it", file, uses[1])
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			plain := strings.NewReplacer(`+"${options[@]}"`, "", `+"${files[@]}"`, "").Replace(line)
			if strings.HasSuffix(file, ".sh") && !strings.HasPrefix(line, "#") && newer.MatchString(plain) {
				t.Errorf("%s:%d: bash 3.2 does not have this: %s", file, i+1, line)
			}
		}
	}
	for _, line := range []string{"declare -A a", "mapfile x", "echo ${a,}", "a |& b", "echo ${a[-1]}", `"${options[@]}"`, "echo ${a@Q}"} {
		if !newer.MatchString(line) {
			t.Errorf("the test does not notice %s", line)
		}
	}
}

// TestHook: the hook for pre-commit calls the command with the files behind it, one or several.
func TestHook(t *testing.T) {
	var hooks []struct{ ID, Language, Entry, Files string }
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &hooks)
	}
	if err != nil || len(hooks) != 1 || hooks[0].Language != "golang" || !strings.HasPrefix(hooks[0].Entry, "rollplay check") {
		t.Fatal(err, hooks)
	}
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"a.yaml", "b.yaml", "values.yaml"} {
		text := strings.NewReplacer("name: web}", "name: "+name[:1]+"}", "app: web", "app: "+name[:1]).Replace(deployed)
		if name == "values.yaml" {
			text = "replicas: 3\n"
		}
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[len(files)-1], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append(strings.Fields(hooks[0].Entry)[1:], "-seeds", "2")
	run := func(more ...string) (int, string, string) {
		return command("", append(append(args[:len(args):len(args)], more...), files...)...)
	}
	if code, out, stderr := run(); code != 0 || !strings.Contains(out, "deployment/a") || !strings.Contains(out, "deployment/b") || stderr != "" {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	if code, out, _ := run("-min-available", "4"); code != 1 || strings.Count(out, "\nfail ") != 2 {
		t.Errorf("exit %d\n%s", code, out)
	}
	code, out, _ := run("-min-available", "4", "-o", "sarif")
	var sarif sarifLog
	if err := json.Unmarshal([]byte(out), &sarif); err != nil || code != 1 || len(sarif.Runs[0].Results) != 2 {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	for i, r := range sarif.Runs[0].Results {
		if at := r.Locations[0].Physical; at.Artifact.URI != filepath.ToSlash(files[i]) || at.Region.StartLine != 2 {
			t.Errorf("%+v", at)
		}
	}
	files = files[2:]
	if code, out, stderr := run(); code != 0 || !strings.Contains(out, "no workload") || stderr != "" {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}
