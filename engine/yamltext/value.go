package yamltext

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	kubernetes "sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Value returns the document as JSON values: maps, lists, texts, booleans, nil and json.Number. An error has the words of
// Kubernetes' own reader; its lines are those of the document.
func (d *Document) Value() (any, error) {
	r := newReader()
	var v any
	if root := d.Root(); root != nil {
		if strings.Contains(d.body, "*") && expandedSize(root, map[*Node]int{}) > limits.Expanded {
			return nil, limits.Exceeded(fmt.Sprintf("the document has more than %d bytes with its aliases written out", limits.Expanded))
		}
		r.count()
		v = r.value(root)
	}
	switch {
	case r.collision != "":
		if _, err := kubernetes.YAMLToJSONStrict([]byte(d.body)); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("yaml: key %q already set in map", r.collision)
	case d.root == nil || r.odd || hasBareTag(d.body):
		var err error
		if v, err = kubernetesValue(d.body); err != nil {
			return nil, err
		}
	}
	if depth(v) > limits.Depth {
		return nil, limits.Exceeded(fmt.Sprintf("the document is nested more than %d levels deep", limits.Depth))
	}
	return v, nil
}

// kubernetesValue reads a text as kubectl does.
func kubernetesValue(text string) (v any, err error) {
	b, err := kubernetes.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// reader turns a tree into values. Whatever is unusual makes it odd: then kubernetesValue has the last word.
type reader struct {
	odd          bool
	collision    string         // two keys of a mapping that have the same text: 1 and "1"
	active       map[*Node]bool // anchors that are being read, because an anchor must not contain itself
	nodes, again int            // all nodes that were read, and those below aliases
	depth        int            // of aliases
}

func newReader() *reader { return &reader{active: map[*Node]bool{}} }

// count counts a node. Beyond 100 nodes below aliases, yaml/v2 limits their share; it computes the exact limit.
func (r *reader) count() {
	if r.nodes++; r.depth > 0 {
		r.again++
	}
	r.odd = r.odd || r.again > 100 && r.nodes > 1000
}

func (r *reader) value(n *Node) any {
	r.count()
	switch n.Kind {
	case yaml.AliasNode:
		return r.alias(n)
	case Mapping:
		m := make(map[string]any, len(n.Content)/2)
		r.fill(m, n)
		return m
	case Sequence:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			breath.Take()
			list[i] = r.value(item)
		}
		return list
	}
	return r.scalar(n)
}

func (r *reader) alias(n *Node) any {
	if r.odd || r.active[n.Alias] {
		r.odd = true
		return nil
	}
	r.active[n.Alias] = true
	r.depth++
	v := r.value(n.Alias)
	r.depth--
	delete(r.active, n.Alias)
	return v
}

// fill adds the fields of a mapping, and what it merges with <<.
func (r *reader) fill(m map[string]any, n *Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		breath.Often()
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" && key.Value == "<<" && key.Kind == Scalar {
			r.merge(m, value)
			continue
		}
		name := r.key(key)
		if _, taken := m[name]; taken && r.collision == "" {
			r.collision = name
		}
		m[name] = r.value(value)
	}
}

// merge adds the fields of a mapping, or of several, of which the first one wins. In strict mode, no field may be there already.
func (r *reader) merge(m map[string]any, n *Node) {
	r.count()
	switch {
	case n.Kind == yaml.AliasNode && n.Alias.Kind == Mapping && !r.active[n.Alias] && !r.odd:
		r.active[n.Alias] = true
		r.depth++
		r.count()
		r.fill(m, n.Alias)
		r.depth--
		delete(r.active, n.Alias)
	case n.Kind == Mapping:
		r.fill(m, n)
	default: // a list of mappings, or an error
		r.odd = true
	}
}

// key returns a key as a text, like sigs.k8s.io/yaml.
func (r *reader) key(n *Node) string {
	switch k := r.value(n).(type) {
	case string:
		return k
	case bool:
		return strconv.FormatBool(k)
	case json.Number:
		if _, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64); err == nil {
			return string(k)
		}
	}
	r.odd = true
	return n.Value
}

// scalar returns the value of a scalar. Kubernetes reads YAML 1.1: yes, on and y are true, and 010 is 8.
func (r *reader) scalar(n *Node) any {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		r.odd = true
		return nil
	case n.Style != 0 || n.Value != "" && strings.IndexByte(unusual, n.Value[0]) < 0:
		if !utf8.ValidString(n.Value) {
			r.odd = true
		}
		return n.Value
	}
	if v, ok := words[n.Value]; ok {
		return v
	}
	return r.number(n.Value)
}

// unusual are the bytes with which a plain scalar begins that may be something else than a text.
const unusual = "+-.0123456789yYnNtTfFoO~"

// words are the plain scalars that are neither texts nor numbers.
var words = func() map[string]any {
	table := map[string]any{"": nil, "~": nil}
	for value, list := range map[any]string{true: "y yes true on", false: "n no false off", nil: "null"} {
		for _, w := range strings.Fields(list) {
			table[w], table[strings.ToUpper(w)], table[strings.ToUpper(w[:1])+w[1:]] = value, value, value
		}
	}
	return table
}()

// isNullWord reports whether a plain scalar is null.
func isNullWord(s string) bool {
	v, ok := words[s]
	return ok && v == nil
}

// number returns the value of a plain scalar that begins like a number, which may be a text: 10s.
func (r *reader) number(s string) any {
	plain := s
	switch c := s[0]; {
	case c >= '0' && c <= '9' || c == '+' || c == '-':
		plain = strings.ReplaceAll(s, "_", "")
	case c != '.':
		return s
	}
	if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return json.Number(strconv.FormatInt(n, 10))
	}
	if n, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return json.Number(strconv.FormatUint(n, 10))
	}
	if strings.Trim(plain, "+-.0123456789eE") == "" {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			b, err := json.Marshal(f)
			r.odd = r.odd || err != nil
			return json.Number(b)
		}
	}
	// Infinities and binary numbers with a sign inside are left to yaml/v2.
	r.odd = r.odd || strings.HasPrefix(plain, "0b") || strings.HasPrefix(plain, "-0b") || notFinite[strings.ToLower(strings.TrimLeft(s, "+-"))]
	return s
}

var notFinite = map[string]bool{".inf": true, ".nan": true}

// hasBareTag reports whether a text may have the tag "!", which makes any scalar a text; the tree does not show it.
func hasBareTag(text string) bool {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '!')
		if next < 0 {
			return false
		}
		at += next
		before, width := utf8.DecodeLastRuneInString(text[:at])
		after, size := utf8.DecodeRuneInString(text[at+1:])
		begins := width == 0 || isSpace(before) || strings.ContainsRune("[{,:", before)
		if begins && (size == 0 || isSpace(after) || strings.ContainsRune(",]}", after)) {
			return true
		}
	}
}

// expandedSize returns roughly how long a node is with its aliases written out. The parser bounds their number, but not
// the bytes. Sizes are kept, so that the work is bounded by the text.
func expandedSize(node *Node, sizes map[*Node]int) int {
	if node == nil {
		return 0
	}
	if n, ok := sizes[node]; ok {
		return n
	}
	n := len(node.Value) + 4
	sizes[node] = n // for an alias within its own anchor, which the parser rejects
	if node.Kind == yaml.AliasNode {
		n += expandedSize(node.Alias, sizes)
	}
	for _, c := range node.Content {
		n = min(n+expandedSize(c, sizes), 2*limits.Expanded)
	}
	sizes[node] = n
	return n
}

func depth(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n = max(n, depth(e))
		}
	case []any:
		for _, e := range v {
			breath.Take()
			n = max(n, depth(e))
		}
	default:
		return 0
	}
	return n + 1
}
