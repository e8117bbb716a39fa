package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/yamltext"
	"github.com/rollplay/rollplay/web/must"
)

// sources are the manifests that a command line names.
type sources struct {
	Objects manifests `json:"objects"`         // in the order of the files
	Notes   []string  `json:"notes,omitempty"` // on files that were left out
}

// streamMax is the longest file in bytes; what is simulated of it has the limit of every text.
const streamMax = 64 << 20

// readSources reads files, folders and patterns. With skip, as in a pre-commit hook, files without anything to judge are left out, and
// so are templates and patches.
func readSources(names []string, skip bool, c console) (s *sources, err error) {
	defer must.Caught(&err)
	s = &sources{}
	for _, name := range names {
		for _, file := range filesOf(name) {
			s.add(fileName(file), must.Have(openFile(file, streamMax, c)), skip, c)
		}
	}
	return s, nil
}

// fileName is how messages name a file.
func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.ToSlash(name)
}

func (s *sources) add(file, text string, skip bool, c console) {
	must.Be(utf8.ValidString(text) && !strings.ContainsRune(text, 0), "%s: this is no text in UTF-8; manifests are YAML or JSON", file)
	objects := must.Have(parseStream(file, text, c.watch.enough.Load))
	if skip {
		s.leaveOut(file, objects, c)
		return
	}
	must.Do(renderedFirst(file))
	must.Be(len(objects) > 0, "%s: there are no manifests in it; they are objects of Kubernetes as YAML or JSON", file)
	for _, m := range objects {
		line := m.templateLine()
		must.Be(line == 0, "%s:%d: this is a template; render it first: helm template … | rollplay check -", m.File, line)
	}
	s.Objects = append(s.Objects, objects...)
}

// leaveOut adds the objects of a file unless there is nothing to judge in it.
func (s *sources) leaveOut(file string, objects manifests, c console) {
	if slices.ContainsFunc(objects, func(m *manifest) bool { return m.templateLine() > 0 }) {
		s.Notes = append(s.Notes, fmt.Sprintf("%s is a template and was left out; judge what it renders", file))
		return
	}
	if by := patchOf(file, c); by != "" {
		s.Notes = append(s.Notes, fmt.Sprintf("%s is a patch of %s and was left out; judge what it renders: "+
			"kubectl kustomize %s | rollplay check -", file, by, filepath.ToSlash(filepath.Dir(by))))
		return
	}
	judged := []string{"Deployment", "StatefulSet", "DaemonSet", "PodDisruptionBudget"}
	if slices.ContainsFunc(objects, func(m *manifest) bool { return slices.Contains(judged, m.Kind) }) {
		s.Objects = append(s.Objects, objects...)
	}
}

// filesOf returns the files that a name means: a file, a folder with all its manifests, or a pattern.
func filesOf(name string) (files []string) {
	stat, err := os.Stat(name)
	switch {
	case name == "-" || err == nil && !stat.IsDir():
		return []string{name}
	case err == nil:
		return must.Have(folder(name))
	case !strings.ContainsAny(name, "*?["):
		must.Do(err)
	}
	found := must.Have(filepath.Glob(name))
	must.Be(len(found) > 0, "no file matches %s", name)
	for _, name := range found {
		files = append(files, filesOf(name)...)
	}
	return files
}

// rendered says for files that a folder may have what renders it.
var rendered = map[string]string{"kustomization.yaml": "kubectl kustomize", "kustomization.yml": "kubectl kustomize",
	"Kustomization": "kubectl kustomize", "Chart.yaml": "helm template"}

// renderedFirst refuses such a file.
func renderedFirst(path string) error {
	if by := rendered[filepath.Base(path)]; by != "" {
		return fmt.Errorf("%s: this folder is rendered first: %s %s | rollplay check -", filepath.ToSlash(path), by, filepath.ToSlash(filepath.Dir(path)))
	}
	return nil
}

// manifestEnds are the ends of the names of manifests.
var manifestEnds = []string{".yaml", ".yml", ".json"}

// folder returns the manifests of a folder and of those in it, in the order of their names. Hidden ones are left out.
func folder(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") && path != root
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return filepath.SkipDir
		case hidden || d.IsDir():
		case rendered[d.Name()] != "":
			return renderedFirst(path)
		case slices.Contains(manifestEnds, filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no .yaml, .yml or .json in this folder", root)
	}
	return files, err
}

// patchOf returns the kustomization that a file is a patch of, "" if there is none in its folder or in one above it.
func patchOf(file string, c console) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
			path := filepath.Join(dir, name)
			if text, err := openFile(path, limits.Text, c); err == nil && patches(text, dir, file) {
				return filepath.ToSlash(path)
			}
		}
		if parent := filepath.Dir(dir); parent == dir || dir == "." {
			return ""
		}
	}
}

// patches reports whether a kustomization in a folder names a file as a patch.
func patches(text, dir, file string) bool {
	is := func(path string) bool { return path != "" && filepath.Join(dir, path) == filepath.Clean(file) }
	for _, d := range yamltext.Split(text) {
		v, _ := d.Value()
		tree, _ := v.(map[string]any)
		k := api.Fields(tree)
		for _, list := range []string{"patches", "patchesJson6902"} {
			if slices.ContainsFunc(k.Items(list), func(p api.Fields) bool { return is(p.Text("path")) }) {
				return true
			}
		}
		if slices.ContainsFunc(k.Texts("patchesStrategicMerge"), is) {
			return true
		}
	}
	return false
}

// sets splits the objects so that each object is once in a set: overlays of several environments have files for the same object. Objects
// of a folder stay together, and if one of them has an object twice, each of its files is a set of its own.
func (s *sources) sets() []manifests {
	if !s.Objects.repeated() {
		return []manifests{s.Objects}
	}
	var all []manifests
	for _, in := range grouped(s.Objects, func(m *manifest) string { return filepath.Dir(m.File) }) {
		if in.repeated() {
			all = append(all, grouped(in, (*manifest).inFile)...)
		} else {
			all = append(all, in)
		}
	}
	return all
}

// repeated reports whether an object is in two files.
func (m manifests) repeated() bool {
	file := map[string]string{}
	for _, x := range m {
		if x.value == nil {
			continue
		}
		if in, ok := file[x.key()]; ok && in != x.File {
			return true
		}
		file[x.key()] = x.File
	}
	return false
}

// grouped puts together what has the same name, in the order in which the names come.
func grouped[S ~[]T, T any](list S, name func(T) string) (groups []S) {
	at := map[string]int{}
	for _, x := range list {
		i, ok := at[name(x)]
		if !ok {
			i, at[name(x)] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// judged returns the objects that concern a rollout.
func (m manifests) judged() manifests {
	return slices.DeleteFunc(slices.Clone(m), func(x *manifest) bool { return !x.judged })
}

// readFile reads a file, or standard input for -, but no shipped scenario. A command that merges shards reads what they have read.
func readFile(name string, most int, c console) (string, error) {
	s := c.watch.shard
	if text, known := s.inputs[name]; known && s.merged != nil {
		return text, nil
	}
	text, err := openFile(name, most, c)
	if s.part() && err == nil {
		s.inputs[name] = text
	}
	return text, err
}

// openFile reads a file, or standard input for -. It reads some bytes at most: a file may be endless, like /dev/zero, or larger than the
// memory.
func openFile(name string, most int, c console) (string, error) {
	in, title := c.in, "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in, title = f, name
	}
	b, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	return string(b), cmp.Or(err, tooLong(title, len(b), most))
}

// carried returns manifests as shards carry them: without the texts that nothing reads.
func (s *sources) carried() *sources {
	c := &sources{Notes: s.Notes}
	for _, m := range s.Objects {
		x := *m
		if !m.judged && !m.isConfig() {
			x.Text = ""
		}
		c.Objects = append(c.Objects, &x)
	}
	return c
}

// restore returns the manifests that the shards have judged, as they were read.
func (s *sharding) restore(side string) *sources {
	c := s.sources[side]
	must.Be(c != nil, "the shards have no manifests; were they printed by rollplay check?")
	all := &sources{Notes: c.Notes}
	for _, m := range c.Objects {
		if list := m.read(); len(list) == 1 {
			m = list[0]
		}
		all.Objects = append(all.Objects, m)
	}
	return all
}
