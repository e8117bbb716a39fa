package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

// TestAction runs the step of action.yml as GitHub does: with its inputs as variables, a summary and an output file.
func TestAction(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	var action struct {
		Inputs map[string]struct {
			Default  string
			Required bool
		}
		Runs struct {
			Using string
			Steps []struct {
				ID, Run, Uses string
				Env           map[string]string
			}
		}
	}
	text, err := os.ReadFile("../../action.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &action)
	}
	steps := action.Runs.Steps
	if err != nil || action.Runs.Using != "composite" || len(steps) == 0 {
		t.Fatal(err, action)
	}
	step := steps[len(steps)-1]
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		inputs                map[string]string
		manifest              string
		works                 bool
		verdict, says, stderr string
	}{
		{nil, deployed, true, "pass", "### ✅ rollplay check: pass", ""},
		{map[string]string{"arguments": "-min-available 100% -seeds 2"}, deployed, false, "fail", "Lowest availability: 3 of 4", ""},
		{map[string]string{"arguments": "; touch hacked"}, deployed, false, "", "", "no such file"},
		{nil, strings.Replace(deployed, "{containers", "{schedulerName: other, containers", 1), true, "unknown", "The scheduler other decides", ""},
		{map[string]string{"unknown": "fail"}, strings.Replace(deployed, "{containers", "{schedulerName: other, containers", 1), false, "unknown", "The scheduler other decides", ""},
		{nil, "{{ template }}", false, "", "", "helm template"},
	} {
		dir := t.TempDir()
		file := func(name string) string { return filepath.Join(dir, name) }
		if err := os.WriteFile(file("web.yaml"), []byte(tt.manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		inputs := map[string]string{"manifests": file("web.yaml"), "sarif": file("out.sarif")}
		for name, x := range action.Inputs {
			if _, given := inputs[name]; !given {
				inputs[name] = x.Default
			}
		}
		for name, value := range tt.inputs {
			inputs[name] = value
		}
		c := exec.Command("bash", "-e", "-c", step.Run)
		c.Dir = dir
		c.Env = append(os.Environ(), "ROLLPLAY_AS_COMMAND=1", "GITHUB_STEP_SUMMARY="+file("summary"), "GITHUB_OUTPUT="+file("output"))
		for name, value := range step.Env {
			value = strings.ReplaceAll(value, "${{ github.action_path }}", root)
			value = strings.ReplaceAll(value, "${{ runner.temp }}/rollplay", binary)
			for input, x := range inputs {
				value = strings.ReplaceAll(value, "${{ inputs."+input+" }}", x)
			}
			if strings.Contains(value, "${{") {
				t.Errorf("%s: %s is not an input", name, value)
			}
			c.Env = append(c.Env, name+"="+value)
		}
		var stderr bytes.Buffer
		c.Stderr = &stderr
		err := c.Run()
		summary, _ := os.ReadFile(file("summary"))
		output, _ := os.ReadFile(file("output"))
		if (err == nil) != tt.works || !strings.Contains(string(summary), tt.says) || !strings.Contains(stderr.String(), tt.stderr) ||
			tt.verdict != "" && string(output) != "verdict="+tt.verdict+"\n" {
			t.Errorf("%v: %v, output %q\n%s%s", tt.inputs, err, output, summary, stderr.String())
		}
		if _, err := os.Stat(file("hacked")); err == nil {
			t.Error("an input was taken for shell")
		}
		if tt.verdict != "" {
			sarif, err := os.ReadFile(file("out.sarif"))
			if err != nil || !json.Valid(sarif) {
				t.Errorf("SARIF: %v\n%s", err, sarif)
			}
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
