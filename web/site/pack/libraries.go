package pack

// The modules below use regular expressions for three patterns, and nothing else in the program needs any: 52 kB of the download.
var (
	yaml2   = module{path: "go.yaml.in/yaml/v2", dirs: []string{"."}, changes: with(yamlChanges, treesOnly), sources: yamlNumbers}
	yaml3   = module{path: "go.yaml.in/yaml/v3", dirs: []string{"."}, changes: with(yamlChanges, nodesOnly), sources: yamlNumbers}
	echarts = module{
		path: "github.com/go-echarts/go-echarts/v2", dirs: []string{"opts", "types", "util"},
		changes: map[string][][2]string{"js.go": {
			{"\t\"regexp\"\n", "\t\"strings\"\n"},
			{"regexp.MustCompile(`\\n|\\t`)", `linesJoined{strings.NewReplacer("\n", "", "\t", "")}`},
			{"regexp.MustCompile(`(//.*)\\n`)", "comments{}"},
		}},
		files: replacements("echarts"),
	}
)

// yamlChanges take the number patterns from numbers.go, where a test compares them with the regular expressions.
var yamlChanges = map[string][][2]string{
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
var treesOnly = map[string][][2]string{
	"decode.go": {{"return d.mappingStruct(n, out)", "panic(\"yaml: this build decodes no structs\")"}},
	"encode.go": {{"e.structv(tag, in)", "panic(\"yaml: this build prints no structs\")"}},
}

// nodesOnly: version 3 gives nodes with lines and columns; it resolves no values.
var nodesOnly = map[string][][2]string{"yaml.go": {
	{"\t\treturn io.EOF\n\t}\n" + outOf + "\td.unmarshal(node, out)\n", "\t\treturn io.EOF\n\t}\n\t*v.(*Node) = *node\n"},
	{outOf + "\td.unmarshal(n, out)\n", "\t*v.(*Node) = *n\n"},
	{"\t\td.unmarshal(node, v)\n", "\t\t*out.(*Node) = *node\n"},
}, "decode.go": {{"\t\ttag, _ = resolve(\"\", value)\n", "\t\ttag = \"\" // engine/yamltext finds the values\n"}}}

const outOf = "\tout := reflect.ValueOf(v)\n\tif out.Kind() == reflect.Ptr && !out.IsNil() {\n\t\tout = out.Elem()\n\t}\n"

// with joins changes to files.
func with(all ...map[string][][2]string) map[string][][2]string {
	joined := map[string][][2]string{}
	for _, changes := range all {
		for name, pairs := range changes {
			joined[name] = append(joined[name], pairs...)
		}
	}
	return joined
}

var yamlNumbers = map[string]source{"numbers.go": {"web/site/pack/numbers/numbers.go", "package numbers\n", "package yaml\n", ""}}
