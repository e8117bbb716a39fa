package pack

// The modules below use regular expressions for three patterns, and nothing else in the program needs any: 52 kB of the download.
var (
	yaml2   = module{path: "go.yaml.in/yaml/v2", dirs: []string{"."}, changes: yamlChanges, sources: yamlNumbers}
	yaml3   = module{path: "go.yaml.in/yaml/v3", dirs: []string{"."}, changes: yamlChanges, sources: yamlNumbers}
	echarts = module{
		path: "github.com/go-echarts/go-echarts/v2", dirs: []string{"opts", "types", "util"},
		changes: map[string][][2]string{"js.go": {
			{"\t\"regexp\"\n", "\t\"strings\"\n"},
			{"regexp.MustCompile(`\\n|\\t`)", `linesJoined{strings.NewReplacer("\n", "", "\t", "")}`},
			{"regexp.MustCompile(`(//.*)\\n`)", "comments{}"},
		}},
		files: map[string]string{"js_patterns.go": echartsPatterns},
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

var yamlNumbers = map[string]source{"numbers.go": {"web/site/pack/numbers/numbers.go", "package numbers\n", "package yaml\n", ""}}

// echartsPatterns does to functions in JavaScript what the two patterns do. The page writes none.
const echartsPatterns = `package opts

import "strings"

type linesJoined struct{ *strings.Replacer }

func (r linesJoined) ReplaceAllString(s, _ string) string { return r.Replace(s) }

type comments struct{}

func (comments) ReplaceAllString(s, _ string) string {
	for {
		start := strings.Index(s, "//")
		if start < 0 {
			return s
		}
		end := strings.IndexByte(s[start:], '\n')
		if end < 0 {
			return s
		}
		s = s[:start] + s[start+end+1:]
	}
}
`
