package print

import (
	"cmp"
	_ "embed" // the table
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

//go:embed columns.txt
var columnsText string

// textFormats are the formats of columns.txt by kind.
var textFormats = sync.OnceValue(func() map[api.Kind]*Format {
	formats := map[api.Kind]*Format{}
	for kind, text := range Sections(columnsText) {
		f := &Format{}
		var cells []GoTemplate
		for column := range strings.Lines(text) {
			name, cell, _ := strings.Cut(strings.TrimSuffix(column, "\n"), ":")
			f.Names, cells = append(f.Names, name), append(cells, OwnTemplate(kind, strings.TrimSpace(cell), TreeFuncs))
		}
		f.Cells = func(o api.Object, now int64, wide bool) (row []string) {
			tree := ObjectTree(o)
			for i, t := range cells {
				cell := ""
				switch name := f.Names[i]; {
				case name == "NAME":
					cell = o.Meta().Name
				case name == "AGE":
					cell = AgeOf(o.Meta(), now)
				case name == "TARGETS":
					cell = TargetsText(o.(*api.HorizontalPodAutoscaler))
				case wide || name[0] != '+':
					cell = t.Own(kind, tree, TreeFuncs)
				}
				row = append(row, cell)
			}
			return row
		}
		formats[api.Kind(kind)] = f
	}
	return formats
})

// Sections returns the parts of a table of templates by their names: what follows == NAME.
func Sections(text string) map[string]string {
	sections := map[string]string{}
	_, text, _ = strings.Cut(text, "\n== ")
	for part := range strings.SplitSeq(text, "\n== ") {
		name, lines, _ := strings.Cut(part, "\n")
		sections[name] = strings.TrimSpace(lines) + "\n"
	}
	return sections
}

// OwnTemplate reads a template of our own. Own prints a tree with it, and what is not there as nothing.
func OwnTemplate(name, text string, funcs Funcs) GoTemplate {
	t, err := ParseGoWith(text, funcs)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return t
}

func (t GoTemplate) Own(name string, tree any, funcs Funcs) string {
	text, err := t.With(tree, funcs, nil, "")
	if err != nil {
		panic(name + ": " + err.Error()) // tests print each kind
	}
	return text
}

// TreeFuncs are the functions of our own templates about values of a tree.
var TreeFuncs = Funcs{
	"count": func(args []any) any {
		n := 0
		for _, v := range args {
			m, _ := v.(map[string]any)
			n += len(m)
		}
		return n
	},
	"join":  func(args []any) any { return strings.Join(texts(args[0]), args[1].(string)) },
	"json":  func(args []any) any { return string(api.JSON(args[0])) },
	"lines": func(args []any) any { return strings.ReplaceAll(TextOf(args[0]), "\n", "\n"+args[1].(string)) },
	"lower": func(args []any) any { return strings.ToLower(TextOf(args[0])) },
	"multi": func(args []any) any {
		return args[0].(string) + ":\t" + OrNone(strings.Join(texts(args[1]), "\n\t")) + "\n"
	},
	"num":      func(args []any) any { return cmp.Or(TextOf(args[0]), "0") },
	"pairs":    func(args []any) any { return anys(LabelPairs(api.Fields{"": args[0]}.TextMap(""))) },
	"labels":   func(args []any) any { return LabelText(api.Fields{"": args[0]}.TextMap("")) },
	"prefixed": func(args []any) any { return strings.HasPrefix(TextOf(args[0]), args[1].(string)) },
	"resource": func(args []any) any {
		return line.ResourceName(api.Key{Kind: api.Kind(TextOf(args[0])), Name: TextOf(args[1])})
	},
	"selector": func(args []any) any {
		s := &api.LabelSelector{}
		_ = json.Unmarshal(api.JSON(args[0]), s) // an object has one that can be read
		return SelectorText(s)
	},
	"sorted": func(args []any) any { return sorted(args[0], args[1:]) },
	"three":  func(args []any) any { return FirstThree(fieldsOf(api.Fields{"": args[0]}.Items(""), args[1].(string))) },
	"used": func(args []any) any {
		status := api.Fields{"": args[0]}.Object("").Object("status")
		return cmp.Or(status.Object("used").Text(TextOf(args[1])), "0")
	},
}

// TextOf prints a value, nothing as an empty text.
func TextOf(v any) string {
	if v == nil {
		return ""
	}
	return Scalar(v)
}

func texts(v any) []string { return api.Fields{"": v}.Texts("") }

// anys returns texts as templates have lists.
func anys(list []string) (out []any) {
	for _, text := range list {
		out = append(out, text)
	}
	return out
}

// fieldsOf lists what objects have in a field: a text, a number, or several in a list.
func fieldsOf(list []api.Fields, field string) (all []string) {
	for _, f := range list {
		breath.Often()
		if inner, ok := f[field].([]any); ok {
			all = append(all, texts(inner)...)
		} else if text := TextOf(f[field]); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// sorted sorts the objects of a list by fields.
func sorted(v any, fields []any) any {
	list, _ := v.([]any)
	key := func(i int) (key string) {
		for _, field := range fields {
			key += api.Fields{"": list[i]}.Object("").Text(field.(string)) + ","
		}
		return key
	}
	list = slices.Clone(list)
	sort.SliceStable(list, func(i, k int) bool { return key(i) < key(k) })
	return list
}
