package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// place returns the file and the line of a finding, from 1. Of a rendered chart that is the line of the template if the chart is here.
func (j *judgement) place(f *check.Finding) (file string, line int) {
	if name := templateFile(f.Source); name != "" {
		if text, err := os.ReadFile(name); err == nil {
			return filepath.ToSlash(name), templateLine(strings.Split(string(text), "\n"), j.files.lineOf(f.File, f.Line))
		}
	}
	return filepath.ToSlash(cmp.Or(f.Source, f.File, j.files.names())), max(1, f.Line)
}

// templateFile finds the template that helm names as CHART/templates/web.yaml, if the chart of that name is in this folder or below it.
func templateFile(source string) string {
	chart, inChart, found := strings.Cut(source, "/")
	if !found || !filepath.IsLocal(source) {
		return ""
	}
	for _, pattern := range []string{"Chart.yaml", "*/Chart.yaml", "*/*/Chart.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err == nil && chartName(string(text)) == chart {
				return filepath.Join(filepath.Dir(name), filepath.FromSlash(inChart))
			}
		}
	}
	return ""
}

// chartName returns the name in a Chart.yaml.
func chartName(text string) string {
	docs := yamltext.Split(text)
	if len(docs) == 0 {
		return ""
	}
	v, _ := docs[0].Value()
	tree, _ := v.(map[string]any)
	return api.Fields(tree).Text("name")
}

// lineOf returns the text of a line of a file.
func (m manifests) lineOf(file string, line int) string {
	for _, x := range m {
		if lines := strings.Split(x.text, "\n"); x.file == file && x.line <= line && line < x.line+len(lines) {
			return lines[line-x.line]
		}
	}
	return ""
}

// templateLine returns the line of a template from which a rendered line probably comes: the same text, or the same key, else the first.
func templateLine(template []string, rendered string) int {
	rendered = strings.TrimSpace(rendered)
	key, _, isField := strings.Cut(rendered, ":")
	same := func(line string) bool { return strings.TrimSpace(line) == rendered }
	sameKey := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), key+":") }
	if i := slices.IndexFunc(template, same); i >= 0 && rendered != "" {
		return i + 1
	}
	if i := slices.IndexFunc(template, sameKey); i >= 0 && isField {
		return i + 1
	}
	return 1
}
