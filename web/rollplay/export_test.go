package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// TestExport: each format is what its name says, and a file has the same bytes as what is printed.
func TestExport(t *testing.T) {
	_, trace, _ := command("", "run", "-o", "json", "first-rollout")
	for format, want := range map[string]string{"yaml": scenarios.Text("first-rollout"), "json": trace} {
		if _, got, _ := command("", "export", "-o", format, "first-rollout"); got != want {
			t.Errorf("%s: got %d bytes, want %d", format, len(got), len(want))
		}
	}
	for args, want := range map[string]string{
		"":                               "image: nginx:1.19.1",
		"-at 9s":                         "image: nginx:1.18.0",
		"-o svg":                         "At 13.3 s: 10 desired",
		"-o svg -at 12s":                 "At 12 s: 10 desired",
		"-o svg -theme dark":             `fill="#151a21"`,
		"-o svg -lang zh":                ">第一次滚动更新<",
		"-o svg -of nginx-deployment":    "Pods of Deployment/default/nginx-deployment",
		"-o animated":                    "<metadata>#s=first-rollout</metadata>",
		"-o animated -base https://r/p/": `<a href="https://r/p/#s=first-rollout"`,
	} {
		words := append([]string{"export", "first-rollout"}, strings.Fields(args)...)
		code, out, stderr := command("", words...)
		if code != 0 || stderr != "" || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %s, no %q in %.3000s", args, code, stderr, want, out)
		}
		file := filepath.Join(t.TempDir(), "taken")
		if code, printed, stderr := command("", append(words, "-to", file)...); code != 0 || printed != "" || stderr != "" {
			t.Errorf("%s -to: exit %d, %s%s", args, code, printed, stderr)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != out {
			t.Errorf("%s: the file has %d bytes, printed are %d (%v)", args, len(got), len(out), err)
		}
	}
}

// TestExportOfALink: a link brings its commands, its moment, its workload and its language.
func TestExportOfALink(t *testing.T) {
	l := link.Link{Preset: "first-rollout", Recording: engine.Recording{Scenario: scenarios.Text("first-rollout"), Commands: []engine.Command{{At: 11_000, Run: "kubectl scale deployment/nginx-deployment --replicas=3"}}}}
	l.Still, l.T, l.Lang = true, 11_500, "zh"
	fragment, err := link.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	url := "https://rollplay.example/#" + fragment
	for format, want := range map[string]string{"now": "replicas: 3", "svg": "时刻 11.5 s：期望 3", "animated": `<a href="` + url + `"`, "yaml": "kind: Scenario"} {
		if _, got, stderr := command("", "export", "-o", format, url); !strings.Contains(got, want) {
			t.Errorf("%s: %s, no %q in %.3000s", format, stderr, want, got)
		}
	}
	if _, got, _ := command("", "export", "-o", "animated", "-base", "https://other.example/", "#"+fragment); !strings.Contains(got, `href="https://other.example/#`+fragment) {
		t.Errorf("no link in %.2000s", got)
	}
}

// TestExportPNG: a PNG has both themes, and poster makes the same.
func TestExportPNG(t *testing.T) {
	dir := t.TempDir()
	command("", "poster", "first-rollout", "-o", filepath.Join(dir, "p.png"))
	for theme, name := range map[string]string{"light": "p.png", "dark": "p-dark.png"} {
		file := filepath.Join(dir, theme)
		if code, printed, stderr := command("", "export", "-o", "png", "-theme", theme, "-to", file, "first-rollout"); code != 0 || printed != "" {
			t.Errorf("exit %d, %s%s", code, printed, stderr)
		}
		got, _ := os.ReadFile(file)
		want, _ := os.ReadFile(filepath.Join(dir, name))
		if !bytes.HasPrefix(got, []byte("\x89PNG")) || !bytes.Equal(got, want) {
			t.Errorf("%s: export writes %d bytes and poster %d", theme, len(got), len(want))
		}
	}
}

// TestPoster: both themes are written, and what is printed describes them.
func TestPoster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.svg")
	code, alt, stderr := command("", "poster", "#s=first-rollout", "-o", file)
	if code != 0 || stderr != "" || !strings.HasPrefix(alt, "A first rolling update. Pods of Deployment/default/nginx-deployment from 8 s to 18 s. At 13.3 s:") {
		t.Errorf("exit %d, %s, %s", code, stderr, alt)
	}
	for theme, name := range map[string]string{"light": file, "dark": strings.Replace(file, "p.svg", "p-dark.svg", 1)} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, want, _ := command("", "export", "-o", "svg", "-theme", theme, "first-rollout"); string(got) != want {
			t.Errorf("%s differs from export", theme)
		}
	}
	if _, only, _ := command("", "poster", "-alt", "first-rollout"); only != alt {
		t.Errorf("-alt prints %s, want %s", only, alt)
	}
}

func TestExportUsage(t *testing.T) {
	const alone = "apiVersion: v1\nkind: Node\nmetadata: {name: alone}\n"
	for _, tt := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"export -o gif -", 2, `-o is yaml, now, json, svg, png or animated, not "gif"`},
		{"export -o png first-rollout", 2, "-to names the file"},
		{"export -o png -to x.png -lang zh first-rollout", 2, "name one that has it with -font"},
		{"export -o png -to x.png -font /nowhere/x first-rollout", 2, "/nowhere/x"},
		{"export -theme blue -", 2, "light or dark"},
		{"export -lang fr -", 2, "-lang is en or zh"},
		{"export", 2, "expects 1 argument"},
		{"export -of other first-rollout", 2, "there is no workload"},
		{"export -o svg -", 2, "has no workload to draw"},
		{"export -to /nowhere/x -", 2, "/nowhere/x"},
		{"poster -", 2, "-o is the file"},
		{"poster -alt nowhere", 2, "no scenario"},
	} {
		if code, stdout, stderr := command(alone, strings.Fields(tt.args)...); code != tt.code || stdout != "" || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: exit %d, %q, %.300s", tt.args, code, stdout, stderr)
		}
	}
}

// TestExportEscapes: a picture shows what a name hides, and YAML in a file stays as it was written.
func TestExportEscapes(t *testing.T) {
	for _, format := range []string{"svg", "animated", "json"} {
		if _, out, _ := command(escaped, "export", "-o", format, "-"); out == "" || strings.ContainsAny(out, "\x1b\u202e\a") {
			t.Errorf("%s: hidden characters in %q", format, out)
		}
	}
	hidden := "# \u202e\n" + escaped
	file := filepath.Join(t.TempDir(), "taken.yaml")
	if code, _, stderr := command(hidden, "export", "-o", "yaml", "-to", file, "-"); code != 0 {
		t.Fatal(stderr)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != hidden {
		t.Errorf("got %q, %v", got, err)
	}
}
