package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/web/must"
)

// fromGit is how --from begins for a revision of git: git:main.
const fromGit = "git:"

// base is what --from names: files, which may be those of a revision of git.
type base struct {
	names []string // of files and folders
	temp  string   // a folder to remove, "" if there is none
	said  string   // how messages name the folder: git:main
}

// read finds the files of --from. A revision has the files that the manifests have now, or what --render prints there.
func (b *base) read(from, render string, manifests []string) {
	rev, isGit := strings.CutPrefix(from, fromGit)
	switch {
	case from == "":
		return
	case !isGit:
		b.names = []string{from}
		return
	}
	b.said = from
	b.temp = must.Have(filepath.EvalSymlinks(must.Have(os.MkdirTemp("", "rollplay-")))) // /tmp of macOS is one
	tree := filepath.Join(b.temp, "tree")
	top, err := git("", nil, "rev-parse", "--show-toplevel")
	must.Be(err == nil, "--from %s: %w; run it in a clone", from, err)
	commit, err := git("", nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	must.Be(err == nil, "--from %s: this clone has no revision %q; fetch it first: git fetch origin %s:%s (a checkout in CI has one "+
		"commit unless it is told otherwise, as with fetch-depth: 0)", from, rev, rev, rev)
	if render != "" {
		b.render(render, top, commit, tree)
	} else {
		b.files(manifests, top, commit, tree)
	}
}

// files puts the files with the names of manifests into a tree, as they are in a commit.
func (b *base) files(manifests []string, top, commit, tree string) {
	var paths []string
	for _, name := range manifests {
		must.Be(name != "-", "--from %s: standard input has no earlier version; name files, or the command that renders them: "+
			"--render 'helm template .'", b.said)
		path, err := inClone(top, name)
		must.Wrap(err, "--from %s", b.said)
		paths = append(paths, path)
	}
	checkout(top, commit, tree, paths)
	for _, path := range paths {
		found := []string{filepath.Join(tree, path)}
		if isPattern(filepath.Join(top, path)) {
			found, _ = filepath.Glob(found[0])
		}
		for _, name := range found {
			if exists(name) && !slices.Contains(b.names, name) {
				b.names = append(b.names, name)
			}
		}
	}
}

// isPattern reports whether a name stands for several files.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") && !exists(name) }

// inClone returns the path of a file in its clone. The file need not exist.
func inClone(top, name string) (string, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		whole = filepath.Join(folder, filepath.Base(whole))
	}
	path, err := filepath.Rel(top, whole)
	if err != nil || !filepath.IsLocal(path) {
		return "", fmt.Errorf("%s is outside of the clone in %s", name, top)
	}
	return path, nil
}

// render keeps what a command prints in a tree of a commit, in the folder in which it is run now.
func (b *base) render(command, top, commit, tree string) {
	checkout(top, commit, tree, nil)
	folder := filepath.Join(tree, must.Have(inClone(top, ".")))
	if !exists(folder) {
		return // there is nothing to render yet
	}
	text, err := renderIn(folder, command)
	must.Wrap(err, "--from %s", b.said)
	if strings.TrimSpace(text) != "" {
		b.names = []string{filepath.Join(b.temp, "rendered.yaml")}
		must.Do(os.WriteFile(b.names[0], []byte(text), 0o600))
	}
}

// checkout writes files of a commit into a tree: those in some paths, or all. The index of the clone stays as it is.
func checkout(top, commit, tree string, paths []string) {
	env := append(outsideEnv(), "GIT_INDEX_FILE="+tree+".index")
	must.Have(git(top, env, "read-tree", commit))
	list := []string{"ls-files", "-z", "--"}
	for _, path := range paths {
		how := ":(literal)"
		if isPattern(filepath.Join(top, path)) {
			how = ":(glob)"
		}
		list = append(list, how+filepath.ToSlash(path))
	}
	files := must.Have(git(top, env, list...))
	must.Have(run(top, env, files, "git", "checkout-index", "-z", "--stdin", "--prefix="+tree+string(filepath.Separator)))
}

// renderIn returns what a command line of the shell prints in a folder.
func renderIn(folder, command string) (string, error) {
	text, err := run(folder, nil, "", "sh", "-c", command)
	if err != nil {
		return "", fmt.Errorf("--render %q: %w", command, err)
	}
	return text, nil
}

// outsideEnv is the environment without what git tells its hooks: the clone is that of the folder.
func outsideEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
}

// git runs git and returns what it prints, without the last line break.
func git(folder string, env []string, args ...string) (string, error) {
	text, err := run(folder, env, "", "git", args...)
	return strings.TrimRight(text, "\n"), err
}

// run runs a program, and returns what it prints. An error has the last line that it complains with.
func run(folder string, env []string, in, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env, c.Stdin = folder, env, strings.NewReader(in)
	if env == nil {
		c.Env = outsideEnv()
	}
	var complaint bytes.Buffer
	c.Stderr = &complaint
	text, err := c.Output()
	if lines := strings.TrimSpace(complaint.String()); err != nil && lines != "" {
		err = errors.New(lines[strings.LastIndexByte(lines, '\n')+1:])
	}
	return string(text), err
}

// name is a text with the names of a tree as a person knows them: git:main:web.yaml.
func (b *base) name(text string) string {
	if b.temp == "" {
		return text
	}
	temp := filepath.ToSlash(b.temp)
	return strings.NewReplacer(temp+"/tree/", b.said+":", temp+"/rendered.yaml", b.said+" rendered").Replace(filepath.ToSlash(text))
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
