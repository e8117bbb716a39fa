// Package release has the scripts of the workflows in .github, which cannot run here; the tests call each script as its workflow does.
package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// repo is a small copy of this repository with a version of its own, and with programs in bin that stand for others.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T, version string) *repo {
	t.Helper()
	for _, name := range []string{"bash", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name)
		}
	}
	if out, _ := exec.Command("tar", "--version").Output(); !bytes.Contains(out, []byte("GNU tar")) {
		t.Skip("releases are made on Linux")
	}
	r := &repo{t, t.TempDir(), nil}
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatal(err)
	}
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r.write("web/release/"+name, string(text))
	}
	r.write("app/version/version.go", "package version\n\nconst Number = \""+version+"\"\n")
	r.write("LICENSE", "Apache\n")
	r.write("CHANGELOG.md", "# Changelog\n\n## [0.7.0] - 2027-01-01\n\n- new\n\n### Fixed\n\n- a bug\n\n## [0.6.0] - 2026-12-01\n\n- old\n\n## [0.5.0]\n")
	// A program is a text that names its platform.
	r.write("bin/go", `#!/bin/bash
[ "$1" = build ] && [ "$CGO_ENABLED" = 0 ] || { echo "go $*" >&2; exit 9; }
while [ "$1" != -o ]; do shift; done
mkdir -p "$(dirname "$2")" && echo "$GOOS/$GOARCH" >"$2" && chmod 777 "$2" && touch -d "@$RANDOM" "$2"
`)
	for _, name := range []string{"sbom", "crane", "gh", "npm"} {
		r.write("bin/"+name, `#!/bin/bash
printf '%s\n' "`+name+` $*" >>"$LOG"
case "$*" in *"-output "*) args="$*"; args=${args#*-output }; cat "${args#* }" >>"$LOG"; echo '{}' >"${args%% *}" ;; *password-stdin*) cat >>"$LOG" ;; esac
`)
	}
	r.env = append(os.Environ(), "PATH="+filepath.Join(r.dir, "bin")+":"+os.Getenv("PATH"), "LOG="+filepath.Join(r.dir, "log"), "SBOM=sbom", "CRANE=crane")
	return r
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o755)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// run calls a script of the repository, and fails unless it works as expected; it returns what it prints.
func (r *repo) run(works bool, script string, args ...string) string {
	r.t.Helper()
	c := exec.Command("bash", append([]string{filepath.Join(r.dir, "web/release", script)}, args...)...)
	c.Dir, c.Env = r.dir, r.env
	out, err := c.CombinedOutput()
	if (err == nil) != works {
		r.t.Fatalf("%s %q: %v\n%s", script, args, err, out)
	}
	return string(out)
}

var platforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// TestRelease: a tag becomes archives for six platforms with the program in them, checksums of everything, an SBOM of a program, and notes.
func TestRelease(t *testing.T) {
	r := newRepo(t, "0.7.0")
	r.run(true, "release.sh", "v0.7.0", "dist")
	sums := r.read("dist/checksums.txt")
	for _, p := range platforms {
		archive := "rollplay_" + p + ".tar.gz"
		program := "rollplay"
		if strings.HasPrefix(p, "windows") {
			program += ".exe"
		}
		out, err := exec.Command("tar", "-xzOf", filepath.Join(r.dir, "dist", archive), program).CombinedOutput()
		if err != nil || string(out) != strings.Replace(p, "_", "/", 1)+"\n" {
			t.Errorf("%s: %v %q", archive, err, out)
		}
		listed, _ := exec.Command("tar", "-tvzf", filepath.Join(r.dir, "dist", archive)).Output()
		if !strings.Contains(string(listed), "-rwxr-xr-x 0/0") || !strings.Contains(string(listed), "LICENSE") {
			t.Errorf("%s", listed)
		}
		if sum := sha256.Sum256([]byte(r.read("dist/" + archive))); !strings.Contains(sums, hex.EncodeToString(sum[:])+"  "+archive+"\n") {
			t.Errorf("checksums.txt does not have %s", archive)
		}
	}
	if strings.Count(sums, "\n") != len(platforms)+2 || !strings.Contains(sums, "  rollplay.cdx.json\n") || !strings.Contains(sums, "  rollplay-krew.yaml\n") {
		t.Error(sums)
	}
	if log := r.read("log"); log != "sbom bin -json -noserial -version v0.7.0 -output rollplay.cdx.json "+strings.Fields(log)[8]+"\nlinux/arm64\n" {
		t.Error(log)
	}
	if notes := r.read("dist/notes.md"); !strings.Contains(notes, "- a bug") || strings.Contains(notes, "old") {
		t.Error(notes)
	}
	r.run(true, "build.sh", "again")
	if again := r.read("again/checksums.txt"); !strings.HasPrefix(sums, again) {
		t.Errorf("the same source gives other bytes:\n%s%s", sums, again)
	}

	r.run(true, "publish.sh", "v0.7.0", "dist")
	if log := r.read("log"); !strings.Contains(log, "gh release create v0.7.0 --verify-tag --title v0.7.0 --notes-file dist/notes.md dist/rollplay_darwin_amd64.tar.gz ") ||
		!strings.HasSuffix(log, "dist/rollplay_windows_arm64.tar.gz dist/rollplay.cdx.json dist/rollplay-krew.yaml dist/checksums.txt\n") {
		t.Error(log)
	}
	r.write("dist/rollplay.cdx.json", "changed")
	r.write("log", "")
	if out := r.run(false, "publish.sh", "v0.7.0", "dist"); !strings.Contains(out, "rollplay.cdx.json: FAILED") || r.read("log") != "" {
		t.Error(out, r.read("log"))
	}
}

// TestVersion: a tag must be that of the source, and a version in development is no release.
func TestVersion(t *testing.T) {
	for version, tags := range map[string]map[string]bool{"0.7.0": {"v0.7.0": true, "v0.7.1": false, "0.7.0": false}, "0.7.0-dev": {"v0.7.0-dev": false, "v0.7.0": false}} {
		for tag, works := range tags {
			r := newRepo(t, version)
			if out := r.run(works, "version.sh", tag); works && out != version+"\n" || !works && !strings.Contains(out, "the version in app/version/version.go is "+version) {
				t.Errorf("%s of %s: %q", tag, version, out)
			}
			if !works {
				r.run(false, "release.sh", tag, "dist")
			}
		}
	}
	r := newRepo(t, "0.9.0")
	if out := r.run(false, "notes.sh", "0.9.0"); !strings.Contains(out, "no section [0.9.0]") {
		t.Error(out)
	}
	if out := r.run(false, "notes.sh", "0.5.0"); !strings.Contains(out, "no section [0.5.0]") {
		t.Error(out)
	}
}

// TestKrew: the manifest has an archive with its checksum for each platform.
func TestKrew(t *testing.T) {
	r := newRepo(t, "0.7.0")
	r.run(true, "build.sh", "dist")
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, Homepage, ShortDescription, Description string
			Platforms                                        []struct {
				Selector         struct{ MatchLabels map[string]string }
				URI, Sha256, Bin string
			}
		}
	}
	text := r.run(true, "krew.sh", "0.7.0", "https://example.com/v0.7.0", "dist/checksums.txt")
	if err := yaml.Unmarshal([]byte(strings.NewReplacer("apiVersion", "apiversion", "shortDescription", "shortdescription", "matchLabels", "matchlabels").Replace(text)), &plugin); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, p := range plugin.Spec.Platforms {
		name := p.Selector.MatchLabels["os"] + "_" + p.Selector.MatchLabels["arch"]
		have = append(have, name)
		sum := sha256.Sum256([]byte(r.read("dist/rollplay_" + name + ".tar.gz")))
		if p.Sha256 != hex.EncodeToString(sum[:]) || p.URI != "https://example.com/v0.7.0/rollplay_"+name+".tar.gz" || strings.HasSuffix(p.Bin, ".exe") != strings.HasPrefix(name, "windows") {
			t.Errorf("%+v", p)
		}
	}
	if slices.Sort(have); !slices.Equal(have, platforms) || plugin.Spec.Version != "v0.7.0" || plugin.Metadata.Name != "rollplay" || len(plugin.Spec.ShortDescription) > 50 {
		t.Errorf("%q %+v", have, plugin)
	}
}

// TestImage: the image has a part for each platform of Linux, under all tags. The password is not an argument.
func TestImage(t *testing.T) {
	r := newRepo(t, "0.7.0")
	r.run(true, "build.sh", "dist")
	r.run(true, "image.sh", "dist", "ghcr.io/o/rollplay", "v0.7.0", "latest")
	log := r.read("log")
	for _, want := range []string{"crane append --oci-empty-base --platform linux/amd64 ", "crane mutate ghcr.io/o/rollplay:v0.7.0-arm64 --entrypoint /rollplay --user 65532:65532 ",
		"crane index append --manifest ghcr.io/o/rollplay:v0.7.0-amd64 --manifest ghcr.io/o/rollplay:v0.7.0-arm64 --tag ghcr.io/o/rollplay:v0.7.0\n",
		"crane tag ghcr.io/o/rollplay:v0.7.0 latest\n"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	if out := r.run(false, "image.sh", "bin", "ghcr.io/o/rollplay", "v0.7.0"); !strings.Contains(out, "bin has no archive for Linux") {
		t.Error(out)
	}
	r.write("log", "")
	r.env = append(r.env, "REGISTRY_USER=me", "REGISTRY_PASSWORD=secret")
	r.run(true, "login.sh", "ghcr.io")
	if log := r.read("log"); log != "crane auth login ghcr.io --username me --password-stdin\nsecret" {
		t.Error(log)
	}
}

// TestSite: the site is built for the address of the pages, which ends with a slash.
func TestSite(t *testing.T) {
	r := newRepo(t, "0.7.0")
	r.write("bin/go", "#!/bin/bash\necho \"go $*\" >>\"$LOG\"\n")
	for _, address := range []string{"https://example.com/site", "https://example.com/site/"} {
		r.write("log", "")
		r.run(true, "site.sh", "dist", address)
		if log := r.read("log"); log != "npm ci --no-progress\ngo run ./web/rollplay build -o dist --url https://example.com/site/\n" {
			t.Error(log)
		}
	}
}

// TestUsage: each script says how it is called.
func TestUsage(t *testing.T) {
	r := newRepo(t, "0.7.0")
	scripts, _ := filepath.Glob("*.sh")
	for _, name := range scripts {
		if out := r.run(false, name); !strings.Contains(out, "usage: web/release/"+name) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestWorkflows: every script and every file that a workflow names exists, and every script is called by a workflow or another script.
func TestWorkflows(t *testing.T) {
	var all strings.Builder
	workflows, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(workflows) != 3 {
		t.Fatal(err, workflows)
	}
	scripts, _ := filepath.Glob("*.sh")
	for _, name := range append(workflows, scripts...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(bytes.ReplaceAll(text, []byte("usage: web/release/"), nil))
		if strings.HasSuffix(name, ".yml") && !bytes.Contains(text, []byte("permissions:\n  contents: read\n")) {
			t.Errorf("%s: its token may do more than read", name)
		}
	}
	for _, path := range regexp.MustCompile(`web/release/[\w./*-]+\.(sh|yaml)|\.ci/run`).FindAllString(all.String(), -1) {
		if found, _ := filepath.Glob("../../" + path); len(found) == 0 {
			t.Errorf("there is no %s", path)
		}
	}
	for _, name := range scripts {
		if stat, err := os.Stat(name); err != nil || stat.Mode()&fs.FileMode(0o111) == 0 {
			t.Errorf("%s is not executable: %v", name, err)
		}
		if !regexp.MustCompile(`(run: .*web/release|\$here)/` + regexp.QuoteMeta(name)).MatchString(all.String()) {
			t.Errorf("nobody calls %s", name)
		}
	}
}
