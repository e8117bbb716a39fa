// Package yamltext reads a YAML stream into values with positions, and edits the text where a value is, so that comments, order and
// style stay as a person wrote them.
package yamltext
