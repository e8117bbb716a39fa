package print

import (
	"math/rand/v2"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/draw"
)

// goGrammar has the parts of random Go templates.
var goGrammar = draw.Grammar{
	"template": {"«piece»", "«piece»«piece»", "«piece»«piece»«piece»"},
	"piece": {"«text»", "{{«trim»«pipe»«trim2»}}", "{{«pipe»}}", "{{«pipe»}}", "{{if «pipe»}}«piece»{{end}}", "{{if «pipe»}}«piece»{{else}}«piece»{{end}}", "{{if «pipe»}}a{{else if «pipe»}}b{{else}}c{{end}}",
		"{{with «pipe»}}«piece»{{end}}", "{{with «pipe»}}«piece»{{else}}«piece»{{end}}", "{{with $x := «pipe»}}«piece»{{$x}}{{end}}", "{{range «pipe»}}«piece»{{end}}", "{{range «pipe»}}«piece»{{else}}«piece»{{end}}",
		"{{range $i, $e := «pipe»}}{{$i}}«piece»{{$e}}{{end}}", "{{range $e := «pipe»}}«piece»{{end}}", "{{$x := «pipe»}}«piece»{{$x}}", "{{$x := «pipe»}}{{range .spec.list}}{{$x = «pipe»}}{{end}}{{$x}}", "{{/* x */}}"},
	"trim":    {"- ", "", " "},
	"trim2":   {" -", "", " "},
	"text":    {" ", "a", "\n", " a \n", ""},
	"pipe":    {"«value»", "«value»", "«call»", "«call»", "«value» | «name»", "«call» | «name»", "«value» | «name» «value»", "«value» | «name» | «name»", "«value» | printf «format»"},
	"call":    {"«name» «arg»", "«name» «arg» «arg»", "«name» «arg» «arg» «arg»", "«name»", "printf «format» «arg»", "printf «format» «arg» «arg»", "index «arg» «key»", "eq «arg» «arg»"},
	"name":    {"and", "or", "not", "print", "println", "printf", "len", "index", "eq", "ne", "lt", "le", "gt", "ge"},
	"arg":     {"«value»", "«value»", "«value»", "(«call»)", "(«call»).name", "(index .spec.containers 0).name"},
	"value":   {".", ".", "$", ".kind", ".metadata.name", ".metadata.labels", ".metadata", ".spec.replicas", ".spec.share", ".spec.on", ".spec.off", ".spec.zero", ".spec.empty", ".spec.list", ".spec.none", ".spec.containers", ".nothing", ".nothing.x", ".kind.x", ".name", ".image", "$.kind", "$.spec.list", "«literal»", "«literal»"},
	"literal": {`"a"`, `"web"`, "0", "1", "2", "-1", "1.5", "2.0", "1e3", "0x1F", "true", "false", "`b`", "'a'", "nil", "1_000"},
	"key":     {"0", "1", "9", `"app"`, `"name"`, ".kind", "-1"},
	"format":  {`"%s"`, `"%d"`, `"%v"`, `"%q"`, `"%5s|"`, `"%-5v|"`, `"%05d"`, `"%.2f"`, `"%t"`, `"%x"`, `"%%"`, `"a"`, `"%s %s"`, `"%+v"`},
}

// TestRandomGoTemplates compares random templates with Go's own package: what they print, and whether they are refused.
func TestRandomGoTemplates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 26))
	for range 30_000 {
		compareGo(t, goGrammar.Text(r, "template"))
	}
}
