package pack

// The modules below use regular expressions for three patterns, and nothing else in the program needs any: 52 kB of the download.
var (
	yaml2   = module{path: "go.yaml.in/yaml/v2", dirs: []string{"."}, changes: []edits{yamlChanges, treesOnly}, sources: yamlNumbers}
	yaml3   = module{path: "go.yaml.in/yaml/v3", dirs: []string{"."}, changes: []edits{yamlChanges, nodesOnly}, sources: yamlNumbers}
	echarts = module{
		path: "github.com/go-echarts/go-echarts/v2", dirs: []string{"opts", "types", "util"},
		changes: []edits{{"js.go": {
			{"\t\"regexp\"\n", "\t\"strings\"\n"},
			{"regexp.MustCompile(`\\n|\\t`)", `linesJoined{strings.NewReplacer("\n", "", "\t", "")}`},
			{"regexp.MustCompile(`(//.*)\\n`)", "comments{}"},
		}}},
		files: replacements("echarts"),
	}
)

// yamlChanges take the number patterns from numbers.go, where a test compares them with the regular expressions.
var yamlChanges = edits{
	"resolve.go": {
		{"\t\"regexp\"\n", ""}, {"yamlStyleFloat.MatchString(plain)", "isFloat(plain)"},
		{"var yamlStyleFloat = regexp.MustCompile(`^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)\n", ""},
	},
	"encode.go": {
		{"\t\"regexp\"\n", ""}, {"base60float.MatchString(s)", "isBase60(s)"},
		{"var base60float = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?$`)\n", ""},
	},
}

// treesOnly: the page decodes into maps and lists, and prints them, but no structs.
var treesOnly = edits{
	"decode.go": {{"return d.mappingStruct(n, out)", "panic(\"yaml: this build decodes no structs\")"}},
	"encode.go": {{"e.structv(tag, in)", "panic(\"yaml: this build prints no structs\")"}},
}

// nodesOnly: version 3 gives nodes with lines and columns; it resolves no values.
var nodesOnly = edits{"yaml.go": {
	{"\t\treturn io.EOF\n\t}\n" + outOf + "\td.unmarshal(node, out)\n", "\t\treturn io.EOF\n\t}\n\t*v.(*Node) = *node\n"},
	{outOf + "\td.unmarshal(n, out)\n", "\t*v.(*Node) = *n\n"},
	{"\t\td.unmarshal(node, v)\n", "\t\t*out.(*Node) = *node\n"},
}, "decode.go": {{"\t\ttag, _ = resolve(\"\", value)\n", "\t\ttag = \"\" // engine/yamltext finds the values\n"}}}

const outOf = "\tout := reflect.ValueOf(v)\n\tif out.Kind() == reflect.Ptr && !out.IsNil() {\n\t\tout = out.Elem()\n\t}\n"

var yamlNumbers = map[string]source{"numbers.go": {"web/site/pack/numbers/numbers.go", "package numbers\n", "package yaml\n"}}

// goApp is the module that draws the page. Its server pages link net/http and TLS, 350 kB of the download; its states and device IDs,
// which this page does not use, AES and random numbers, 60 kB. It has one route, so it needs no regular expressions either.
var goApp = module{
	path:  "github.com/maxence-charriere/go-app/v10",
	dirs:  []string{"pkg/app", "pkg/errors"},
	files: replacements("goapp"),
	changes: []edits{{
		// Where a text or an attribute reaches the browser: characters that hide or move others are visible, wherever the page
		// shows a text that a stranger wrote.
		"js_wasm.go": {
			{`Call("createTextNode", v)`, `Call("createTextNode", Visible(v))`},
			{`v.Set("nodeValue", val)`, `v.Set("nodeValue", Visible(val))`},
		},
		// The package html has a table of all entities, 25 kB, although only EscapeString is used, for HTML that a server sends.
		"node.go": {
			{"\t\"html\"\n", ""}, {"html.EscapeString(v.value)", "escapeHTML.Replace(v.value)"}, {`FilterUIElems(v.Render())`, `rendered(v)`},
			{"depth uint, v UI) (UI, error) {\n\tctx = m.context(ctx, v)\n",
				"depth uint, v UI) (UI, error) {\n\tdraws()\n\tctx = m.context(ctx, v)\n"},
			{"\tctx = m.context(ctx, v)\n\n\troot := v.root()\n", "\tdraws()\n\tctx = m.context(ctx, v)\n\n\troot := v.root()\n"},
		},
		// The page handles a panic of a component, a handler or a deferred function (replaced/goapp/guard.go.txt); the program continues.
		"engine.go": {
			{"\t\t\tdispatch()\n\n\t\tcase <-frames.C:", "\t\t\tguarded(dispatch)\n\n\t\tcase <-frames.C:"},
			{"\t\t\tdefere()\n", "\t\t\tguarded(defere)\n"},
		},
		// A drawing that began before the last letter was typed would take the letter away: it leaves the field alone, and the letter's
		// event draws it again.
		"attribute.go": {
			{`jsElement.Call("setAttribute", name, value)`, `jsElement.Call("setAttribute", name, shown(name, value))`},
			{"case \"value\":\n\t\tjsElement.Set(name, value)",
				"case \"value\":\n\t\tif !jsElement.Get(\"unheard\").Truthy() {\n\t\t\tjsElement.Set(name, value)\n\t\t}"},
		},
		"context.go": {{"\t\"github.com/google/uuid\"\n", ""}},
		"route.go": {
			{"\t\"regexp\"\n", ""}, {"regexp.MustCompile(pattern)", "everyPath(pattern)"}, {"*regexp.Regexp", "paths"},
		},
	}},
	sources: map[string]source{"visible.go": {"engine/words/visible.go", "package words\n", "package app\n"}},
}
