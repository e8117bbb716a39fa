package pack

// These modules use regular expressions for three patterns, and nothing else in the program needs any: 52 kB of the download.
var (
	yaml2   = module{path: "go.yaml.in/yaml/v2", dirs: []string{"."}, changes: []edits{changesOf("yaml"), changesOf("yaml_trees")}, sources: yamlNumbers}
	yaml3   = module{path: "go.yaml.in/yaml/v3", dirs: []string{"."}, changes: []edits{changesOf("yaml"), changesOf("yaml_nodes")}, sources: yamlNumbers}
	echarts = module{
		path:    "github.com/go-echarts/go-echarts/v2",
		dirs:    []string{"opts", "types", "util"},
		changes: []edits{changesOf("echarts")},
		files:   replacements("echarts"),
	}
)

// kubernetesYAML seeks the field of a struct for each value, also where there is no struct: 5 kB of the download.
var kubernetesYAML = module{path: "sigs.k8s.io/yaml", dirs: []string{"."}, changes: []edits{changesOf("yaml_json")}}

var yamlNumbers = map[string]source{"numbers.go": {"web/site/pack/numbers/numbers.go", "package numbers\n", "package yaml\n"}}

// goApp is the module that draws the page. Its server pages link net/http and TLS, 350 kB of the download; its states and device IDs,
// which this page does not use, AES and random numbers, 60 kB.
var goApp = module{
	path:    "github.com/maxence-charriere/go-app/v10",
	dirs:    []string{"pkg/app", "pkg/errors"},
	changes: []edits{changesOf("goapp")},
	files:   replacements("goapp"),
	sources: map[string]source{"visible.go": {"engine/words/visible.go", "package words\n", "package app\n"}},
}
