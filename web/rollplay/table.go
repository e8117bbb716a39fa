package main

import (
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rollplay/rollplay/web/must"
)

// column is a column of a table: its heading, and the text that it has for a row.
type column[T any] struct {
	heading string
	text    func(*T) string
}

// table is a table as data.
type table struct {
	heading []string
	rows    [][]string
	right   bool // the columns are aligned to the right
}

// tableOf returns the table of a list.
func tableOf[T any](columns []column[T], list []T) *table {
	t := &table{rows: make([][]string, len(list))}
	for _, c := range columns {
		t.heading = append(t.heading, c.heading)
		for i := range list {
			t.rows[i] = append(t.rows[i], c.text(&list[i]))
		}
	}
	return t
}

func (t *table) lines() [][]string { return append([][]string{t.heading}, t.rows...) }

// writeText writes the table for a terminal.
func (t *table) writeText(w io.Writer) {
	flags, end := uint(0), "\n"
	if t.right {
		flags, end = tabwriter.AlignRight, "\t\n"
	}
	out := tabwriter.NewWriter(w, 0, 0, 3, ' ', flags)
	for _, line := range t.lines() {
		must.Have(io.WriteString(out, strings.Join(line, "\t")+end))
	}
	must.Do(out.Flush())
}

// writeMarkdown writes the table for a comment on a pull request. Rows may be shorter than the heading.
func (t *table) writeMarkdown(w io.Writer) {
	lines := []string{"| " + strings.ToLower(strings.Join(t.heading, " | ")) + " |", strings.Repeat("|---", len(t.heading)) + "|"}
	for _, row := range t.rows {
		line := ""
		for _, text := range row {
			line += "| " + cell(text) + " "
		}
		lines = append(lines, line+strings.Repeat("| ", len(t.heading)-len(row))+"|")
	}
	must.Have(io.WriteString(w, strings.Join(lines, "\n")+"\n"))
}
