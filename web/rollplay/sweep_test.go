package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestSweep: the formats tell of the same cells, and a cell's link plays what the cell shows.
func TestSweep(t *testing.T) {
	axes := []string{"sweep", "first-rollout", "-x", "maxSurge=0,25%", "-y", "maxUnavailable=0,25%", "-o"}
	out := func(format string) string {
		code, out, stderr := command("", append(axes, format)...)
		if code != 0 || stderr != "" {
			t.Fatalf("-o %s: exit %d, %s", format, code, stderr)
		}
		return out
	}
	table := out("table")
	for _, want := range []string{`maxUnavailable \ maxSurge   0 `, "0                           invalid [1]", "5.5s 80% 18 + *", "[1] spec.strategy"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(out("csv"))).ReadAll()
	if err != nil || len(rows) != 5 || strings.Join(rows[4][:8], ",") != "3 (25%),2 (25%),3,2,true,true,,5522" {
		t.Errorf("%v %v", err, rows)
	}
	var cell cellLine
	lines := strings.Split(strings.TrimSpace(out("json")), "\n")
	if err := json.Unmarshal([]byte(lines[3]), &cell); err != nil || len(lines) != 4 || !cell.Current || cell.Rollout.PeakPods != 18 || *cell.Duration != 5522 {
		t.Errorf("%v %d %+v", err, len(lines), cell)
	}
	if _, cards, _ := command("", "forecast", "-o", "json", cell.Link); !strings.Contains(cards, `"duration":5522`) {
		t.Errorf("the link plays something else: %s", cards)
	}
	svg := out("svg")
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	if strings.Count(svg, "<g>") != 4 || strings.Count(svg, `"url(#no)"`) != 1 || strings.Count(svg, "<circle") != 1 || !strings.Contains(svg, ">5.5s<") {
		t.Error(svg)
	}
}

func TestSweepUsage(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{"sweep", 2, "expects 1 argument"},
		{"sweep recreate", 2, "no maxSurge and maxUnavailable suit deployment/db: spec.strategy.rollingUpdate: Forbidden"},
		{"sweep recreate -x replicas -y minReadySeconds", 0, ""},
		{"sweep recreate -x speed", 2, "choose one of maxSurge"},
		{"sweep recreate -x maxSurge -y maxSurge", 2, "are both maxSurge"},
		{"sweep recreate -o pdf", 2, "-o is table"},
		{"sweep recreate -color red", 2, "-color is duration"},
		{"sweep recreate -of nothing", 2, `no workload "nothing"`},
		{"sweep sts-rolling -x maxSurge", 2, "a StatefulSet has no maxSurge"},
		{"sweep sts-rolling -x partition=0,1", 0, ""},
	} {
		if code, _, stderr := command("", strings.Fields(tt.args)...); code != tt.code || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: exit %d, %s", tt.args, code, stderr)
		}
	}
}
