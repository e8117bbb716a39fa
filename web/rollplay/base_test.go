package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestMergeBase: shards keep what they have read from git, so merge needs no clone.
func TestMergeBase(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "web.yaml", deployed, 0o644)
	write(t, dir, "base.json", `{"rollplayBaseline": 1, "accepted": []}`, 0o644)
	write(t, dir, "nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}\n", 0o644)
	t.Chdir(dir)
	for _, line := range []string{"init -q -b main", "add web.yaml", "-c user.name=a -c user.email=a@example.com commit -q -m one"} {
		if out, err := exec.Command("git", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", line, err, out)
		}
	}
	write(t, dir, "web.yaml", strings.Replace(deployed, "web:1", "web:2", 1), 0o644)
	for _, args := range [][]string{
		{"check", "web.yaml", "--from", "git:main", "--seeds", "4", "-v"},
		{"check", "--from", "git:main", "--render", "cat web.yaml", "--seeds", "4", "--min-available", "100%", "--only-worse", "--baseline", "base.json",
			"--cluster", "nodes.yaml", "-v"},
	} {
		t.Chdir(dir)
		code, want, stderr := command("", args...)
		if strings.Contains(want, "every container gets") || !strings.Contains(want, "3 of 4 (75%)") {
			t.Errorf("%q: %d\n%s%s", args, code, want, stderr)
		}
		var shards []string
		for _, shard := range []string{"0/2", "1/2"} {
			_, out, _ := command("", append(args, "--shard", shard)...)
			shards = append(shards, out)
		}
		t.Chdir(t.TempDir())
		merged, out, stderr := command(strings.Join(shards, ""), "merge", "-")
		if merged != code || out != want {
			t.Errorf("%q: exit %d, want %d\n%s%s", args, merged, code, out, stderr)
		}
	}
}
