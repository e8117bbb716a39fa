package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/app/version"
)

// write writes a file below a folder.
func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, []byte(text), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// archived is a .tar.gz with one file.
func archived(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))})
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = zip.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestInstall: the action takes the release of its version with a verified checksum, and else builds. A wrong checksum ends it.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	program := archived(t, "rollplay", "#!/bin/sh\necho installed\n")
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	good := map[string]string{"rollplay_linux_amd64.tar.gz": program, "checksums.txt": sum("other") + "  other.tar.gz\n" + sum(program) + "  rollplay_linux_amd64.tar.gz\n"}
	other := func(name, text string) map[string]string {
		return map[string]string{"rollplay_linux_amd64.tar.gz": program, "checksums.txt": good["checksums.txt"], name: text}
	}
	empty := archived(t, "readme", "x")
	for _, tt := range []struct {
		binary, version, os, arch string
		release                   map[string]string
		says                      string // "installed", "built" or an error
	}{
		{"auto", "0.6.0", "Linux", "X64", good, "installed"},
		{"release", "0.6.0", "Linux", "X64", good, "installed"},
		{"build", "0.6.0", "Linux", "X64", good, "built"},
		{"auto", "0.6.0-dev", "Linux", "X64", good, "built"},
		{"release", "0.6.0-dev", "Linux", "X64", good, "version 0.6.0-dev is no release"},
		{"auto", "0.6.0", "macOS", "ARM64", good, "built"},
		{"release", "0.6.0", "Windows", "ARM64", good, "release v0.6.0 has no rollplay_windows_arm64.tar.gz"},
		{"auto", "0.6.0", "Plan9", "X64", good, "built"},
		{"auto", "0.6.0", "Linux", "RISCV", good, "built"},
		{"auto", "0.6.0", "Linux", "X64", map[string]string{}, "built"},
		{"auto", "0.6.0", "Linux", "X64", nil, "built"}, // used from a folder
		{"auto", "0.6.0", "Linux", "X64", other("rollplay_linux_amd64.tar.gz", program+"x"), "and checksums.txt of v0.6.0 says"},
		{"auto", "0.6.0", "Linux", "X64", other("checksums.txt", sum(program)+"  another.tar.gz\n"), "does not name rollplay_linux_amd64.tar.gz"},
		{"auto", "0.6.0", "Linux", "X64", map[string]string{"rollplay_linux_amd64.tar.gz": empty, "checksums.txt": sum(empty) + "  rollplay_linux_amd64.tar.gz\n"},
			"has no rollplay"},
		{"mine", "0.6.0", "Linux", "X64", good, "binary is auto, release or build, not mine"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, ok := tt.release[strings.TrimPrefix(r.URL.Path, "/v"+tt.version+"/")]
			if !ok {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, text)
		}))
		dir := t.TempDir()
		write(t, dir, "app/version/version.go", "package version\n\nconst Number = \""+tt.version+"\"\n", 0o644)
		c := exec.Command("bash", "action/install.sh")
		releases := server.URL
		if tt.release == nil {
			releases = ""
		}
		c.Env = append(os.Environ(), "ACTION="+dir, "BINARY="+tt.binary, "RELEASES="+releases, "RUNNER_OS="+tt.os, "RUNNER_ARCH="+tt.arch,
			"RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "output"))
		out, err := c.CombinedOutput()
		server.Close()
		output, _ := os.ReadFile(filepath.Join(dir, "output"))
		installed, _ := exec.Command(filepath.Join(dir, "rollplay")).Output()
		want := map[string]string{"installed": "build=false\n", "built": "build=true\n"}[tt.says]
		if string(output) != want || (err == nil) != (want != "") || (string(installed) == "installed\n") != (tt.says == "installed") ||
			want == "" && !strings.Contains(string(out), tt.says) {
			t.Errorf("%s %s %s %s: %v, output %q, %q, want %s\n%s", tt.binary, tt.version, tt.os, tt.arch, err, output, installed, tt.says, out)
		}
	}
	if text, err := os.ReadFile("../../app/version/version.go"); err != nil || !strings.Contains(string(text), "\nconst Number = \""+version.Number+"\"\n") {
		t.Error("install.sh does not find the version", err)
	}
}

// gh plays GitHub's program over a folder with comments. It knows the lines of comment.sh and no others.
const gh = `#!/bin/bash
set -u
[ -z "${GH_FAILS:-}" ] || { echo "HTTP 403" >&2; exit 1; }
case "$*" in
"api --paginate repos/o/r/issues/7/comments --jq "*)
  case "$5" in *"startswith(env.MARK)"*) ;; *) exit 9 ;; esac
  for c in $(ls "$COMMENTS"); do
    read -r first <"$COMMENTS/$c"
    [ "$first" != "$MARK" ] || echo "$c"
  done ;;
"api --silent --method POST repos/o/r/issues/7/comments --field body=@"*)
  cp "${7#body=@}" "$COMMENTS/$(ls "$COMMENTS" | wc -l | tr -d ' ')" ;;
"api --silent --method PATCH repos/o/r/issues/comments/"*" --field body=@"*)
  cp "${7#body=@}" "$COMMENTS/${5##*/}" ;;
*) echo "unknown: $*" >&2; exit 9 ;;
esac
`

// TestComment: a pull request gets one comment for a job, which later runs edit; nobody else's comment changes.
func TestComment(t *testing.T) {
	action := readAction(t)
	step := action.step(t, "comment.sh")
	if !strings.Contains(step.If, "always()") || !strings.Contains(step.If, "inputs.comment == 'true'") {
		t.Errorf("if: %s", step.If)
	}
	dir := t.TempDir()
	write(t, dir, "bin/gh", gh, 0o755)
	comments := filepath.Dir(write(t, dir, "comments/0", "of somebody\n", 0o644))
	comment := func(number, report, job string, env ...string) string {
		t.Helper()
		file := write(t, dir, "report.md", report, 0o644)
		c := step.command(t, dir, map[string]string{"inputs.token": "secret", "github.event.pull_request.number": number,
			"steps.check.outputs.report": file, "inputs.manifests": "a.yaml\n*.yaml"})
		c.Env = append(c.Env, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "COMMENTS="+comments, "GITHUB_REPOSITORY=o/r",
			"GITHUB_WORKFLOW=w", "GITHUB_JOB="+job)
		c.Env = append(c.Env, env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	look := func(want ...string) {
		t.Helper()
		list, err := os.ReadDir(comments)
		if err != nil || len(list) != len(want) {
			t.Fatal(err, list)
		}
		for i, f := range list {
			text, err := os.ReadFile(filepath.Join(comments, f.Name()))
			if err != nil || !strings.HasSuffix(string(text), want[i]) || i > 0 && !strings.HasPrefix(string(text), "<!-- rollplay check ") {
				t.Errorf("%s: %v %.300q, want %.100q", f.Name(), err, text, want[i])
			}
		}
	}
	comment("", "### no pull request\n", "a")
	comment("7", "", "a")
	look("of somebody\n")
	comment("7", "### one\n", "a")
	look("of somebody\n", "### one\n")
	comment("7", "### two\n", "a")
	look("of somebody\n", "### two\n")
	comment("7", "### of another job\n", "b")
	look("of somebody\n", "### two\n", "### of another job\n")
	comment("7", strings.Repeat("- a long line of a list\n", 5000), "b")
	look("of somebody\n", "### two\n", "The rest is in the summary of the job.\n")
	if text, err := os.ReadFile(filepath.Join(comments, "2")); err != nil || len(text) > 65536 || strings.Contains(string(text), "```") {
		t.Error(err, len(text))
	}
	comment("7", "<details><summary>x</summary>\n\n```mermaid\n"+strings.Repeat("  line [4, 4, 4, 4]\n", 5000), "b")
	if text, err := os.ReadFile(filepath.Join(comments, "2")); err != nil || !strings.HasSuffix(string(text), "4]\n```\n\n</details>\n\nThe rest is in the summary of the job.\n") {
		t.Errorf("%v %q", err, text[len(text)-200:])
	}
	if out := comment("7", "### three\n", "a", "GH_FAILS=1"); !strings.Contains(out, "pull-requests: write") {
		t.Error(out)
	}
	look("of somebody\n", "### two\n", "The rest is in the summary of the job.\n")
}

// TestActionFetchesBase: a checkout with one commit gets the revision to compare with.
func TestActionFetchesBase(t *testing.T) {
	dir := t.TempDir()
	run := func(in string, args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"}, args...)...)
		c.Dir = filepath.Join(dir, in)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	run("", "init", "-q", "-b", "main", "origin")
	write(t, dir, "origin/web.yaml", deployed, 0o644)
	run("origin", "add", ".")
	run("origin", "commit", "-q", "-m", "one")
	run("origin", "switch", "-q", "-c", "change")
	write(t, dir, "origin/web.yaml", strings.Replace(deployed, "web:1", "web:2", 1), 0o644)
	run("origin", "commit", "-q", "-a", "-m", "two")
	run("", "clone", "-q", "--depth", "1", "--branch", "change", "file://"+filepath.Join(dir, "origin"), "clone")
	action := readAction(t)
	inputs := map[string]string{}
	for name, x := range action.Inputs {
		inputs["inputs."+name] = x.Default
	}
	inputs["inputs.manifests"], inputs["inputs.from"], inputs["inputs.arguments"] = "web.yaml", "git:main", "--seeds 2"
	step := action.step(t, "check.sh")
	c := step.command(t, filepath.Join(dir, "clone"), inputs)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "3 of 4 (75%)") || strings.Contains(string(out), "every container gets a new image") {
		t.Errorf("%v\n%s", err, out)
	}
	inputs["inputs.from"] = "git:nowhere"
	c = step.command(t, filepath.Join(dir, "clone"), inputs)
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), `no revision "nowhere"`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestGate: what web/docs/gate tells people to copy works: the inputs of the workflow, the policies, and the annotation.
func TestGate(t *testing.T) {
	const gate = "../docs/gate/"
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	text, err := os.ReadFile(gate + "check.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &workflow)
	}
	if err != nil {
		t.Fatal(err)
	}
	action := readAction(t)
	step := workflow.Jobs["check"].Steps[1]
	if !strings.HasPrefix(step.Uses, "rollplay/rollplay@") || len(step.With) < 5 {
		t.Errorf("%+v", step)
	}
	for name := range step.With {
		if _, ok := action.Inputs[name]; !ok {
			t.Errorf("the action has no input %s", name)
		}
	}
	manual, err := os.ReadFile(gate + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, annotation, _ := strings.Cut(string(manual), "```yaml\nmetadata:\n")
	annotation, _, _ = strings.Cut(annotation, "```")
	file := write(t, t.TempDir(), "web.yaml", strings.Replace(deployed, "metadata: {name: web}", "metadata:\n  name: web\n"+strings.TrimRight(annotation, "\n"), 1), 0o644)
	code, out, stderr := command("", "check", file, "--policy", gate+"policy.yaml", "--seeds", "2", "--today", "2027-01-31")
	if code != 1 || !strings.Contains(out, "(limit 100%, D-53)") || strings.Count(out, "\nignore ") != 3 || strings.Contains(out, "expired") || stderr != "" {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	for _, flag := range regexp.MustCompile("`(--[a-z][a-z-]+)").FindAllStringSubmatch(string(manual), -1) {
		cmd, _, err := newRoot("rollplay", console{watch: newWatch()}).Find([]string{"check"})
		if err != nil || cmd.Flags().Lookup(strings.TrimPrefix(flag[1], "--")) == nil {
			t.Errorf("check has no flag %s", flag[1])
		}
	}
}
