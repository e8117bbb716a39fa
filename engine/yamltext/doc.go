// Package yamltext reads a YAML stream into values with positions, and edits the text where a value is, so that comments, order and
// style stay as a person wrote them. The reader of scenarios, Break, the version menu, prepared edits and sweeps share it.
//
// # Which parser
//
// A text is read once, by go.yaml.in/yaml/v3, because it is the one of these parsers that gives positions and accepts the same texts as
// Kubernetes' own. Kubernetes reads YAML 1.1 (yes is true, 010 is 8), so the values of scalars are found here. Whatever is unusual is
// left to sigs.k8s.io/yaml: tags, odd keys, many aliases, and every error, because its words and lines are kubectl's. A fuzz test compares
// the two. For the first lesson, on two shared cores, with 40,000 texts that were damaged at random:
//
//	parser                 time      differs from yaml/v2, which Kubernetes uses
//	yaml/v2, values        0.23 ms   has no positions
//	sigs.k8s.io/yaml       0.32 ms   has no positions; its JSON is still to be read
//	yaml/v3, nodes         0.19 ms   1 text refused; its errors name the line where a block begins, not the wrong line
//	yaml/v4.0.0, nodes     0.21 ms   276 texts accepted or refused differently
//	this package           0.27 ms   values and positions; before, positions took a second reading
//
// A text of a megabyte is parsed in parts, with breaths between them, and takes up to 1.7 times as long as in yaml/v2. yaml/v2 is still
// linked below sigs.k8s.io/yaml: kubectl prints -o yaml with it, and the lines of errors need its parser.
package yamltext
