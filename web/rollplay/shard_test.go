package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/yamltext"
)

// shardJob are the parts of the documented manifest that decide what its pods run.
type shardJob struct {
	Kind string
	Data map[string]string
	Spec struct {
		CompletionMode string
		Completions    int
		Template       struct {
			Spec struct {
				Containers []struct{ Args []string }
			}
		}
	}
}

// TestShardsAsProcesses plays the documented Indexed Job: each pod is a process with its completion index, and merge reads their logs. It
// prints what one run prints, with its exit code, and needs none of the files.
func TestShardsAsProcesses(t *testing.T) {
	text, err := os.ReadFile("../docs/shards/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir, job := t.TempDir(), shardJob{}
	for _, d := range yamltext.Split(string(text)) {
		if err := yaml.Unmarshal([]byte(d.Text), &job); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range job.Data {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if job.Spec.CompletionMode != "Indexed" || job.Spec.Completions != 4 {
		t.Fatalf("%+v", job)
	}
	run := func(dir, in string, args ...string) (string, int) {
		binary, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, append(os.Environ(), "ROLLPLAY_AS_COMMAND=1"), strings.NewReader(in)
		out, _ := cmd.Output() // the code is looked at
		return string(out), cmd.ProcessState.ExitCode()
	}
	args, logs, whole := job.Spec.Template.Spec.Containers[0].Args, "", []string(nil)
	for i := range job.Spec.Completions {
		var mine []string
		for _, a := range args {
			mine = append(mine, strings.ReplaceAll(a, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i)))
		}
		out, code := run(dir, "", mine...)
		if code != 0 {
			t.Errorf("%v: exit %d, %s", mine, code, out)
		}
		logs, whole = logs+out, withoutShard(mine)
	}
	want, code := run(dir, "", whole...)
	got, mergedCode := run(t.TempDir(), logs, "merge", "-")
	if got != want || mergedCode != code || code != 1 || !strings.Contains(got, "200 seeds") && !strings.Contains(got, "FAIL") {
		t.Errorf("exit %d, want %d\n%s\nwant\n%s", mergedCode, code, got, want)
	}
}

// TestMerge: in every command and format, shards print together what one run prints, whatever their order and number.
func TestMerge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web.yaml")
	if err := os.WriteFile(file, []byte(deployed+sold), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"check FILE --seeds 7", "check FILE --seeds 7 --min-available 4 -o json", "check FILE --seeds 2 -o sarif", "check FILE --seeds 3 -o markdown",
		"check --seeds 5 --policy FILE FILE", "check --shard= --seeds 5 -v FILE",
		"sweep FILE -y maxUnavailable=0,1,2", "sweep FILE -x maxSurge=0,1 -o json", "sweep FILE -x maxSurge=0,1 -o csv", "sweep FILE -x maxSurge=1,2 -o svg",
		"forecast FILE --seeds 9", "forecast FILE --seeds 9 -o json", "forecast --seeds 1 FILE",
	} {
		args := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(line, "--shard= ", ""), "FILE", file))
		code, want, stderr := command("", args...)
		if code == 2 {
			if !strings.Contains(line, "--policy") {
				t.Errorf("%s: %s", line, stderr)
			}
			continue
		}
		for _, n := range []int{1, 3} {
			all := ""
			for i := range n {
				_, out, _ := command("", append(args, fmt.Sprintf("--shard=%d/%d", i, n))...)
				all = out + all
			}
			if mergedCode, got, stderr := command(all, "merge", "-"); got != want || mergedCode != code {
				t.Errorf("%s, %d shards: exit %d, want %d\n%.1000s%.1000s\nwant\n%.1000s", line, n, mergedCode, code, stderr, got, want)
			}
		}
	}
}
