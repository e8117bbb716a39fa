package print

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/limits"
)

// CustomColumns prints objects in the columns NAME:path,NAME:path (kubectl/pkg/cmd/get/customcolumn.go).
func CustomColumns(groups []Group, spec string, headers bool) (lines []string, err error) {
	if spec == "" {
		return nil, errors.New("custom-columns format specified but no custom columns given")
	}
	var names []string
	var paths []path
	if err := limits.AtMost(limits.Columns, 1+strings.Count(spec, ","), "columns"); err != nil {
		return nil, err
	}
	work := new(limits.Meter)
	for column := range strings.SplitSeq(spec, ",") {
		name, where, ok := strings.Cut(column, ":")
		if !ok {
			return nil, fmt.Errorf("unexpected custom-columns spec: %s, expected <header>:<json-path-expr>", column)
		}
		p, _, err := relaxed(where)
		if err != nil {
			return nil, err
		}
		names, paths = append(names, name), append(paths, p)
	}
	var rows [][]string
	if headers {
		rows = append(rows, names)
	}
	for _, o := range Flat(groups) {
		row, err := customRow(work, Served(o), paths)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return new(Grid).Lines(rows), nil
}

func customRow(work *limits.Meter, tree any, paths []path) (row []string, err error) {
	for _, p := range paths {
		values, err := p.Of(work, tree)
		if err != nil {
			return nil, err
		}
		texts := []string{None}
		if len(values) > 0 {
			texts = texts[:0]
		}
		for _, v := range values {
			text := goText(v)
			if err := work.Count(len(text) / 16); err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
		row = append(row, strings.Join(texts, ","))
	}
	return row, nil
}

// goText prints a value as Go does: map[a:b], [a b].
func goText(v any) string {
	switch v.(type) {
	case map[string]any, []any:
		return fmt.Sprint(v)
	}
	return Scalar(v)
}
