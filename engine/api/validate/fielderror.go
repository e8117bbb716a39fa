package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/words"
)

// FieldErrorKind is the kind of an error, in the API server's words.
type FieldErrorKind string

// The kinds of field errors.
const (
	FieldInvalid      FieldErrorKind = "Invalid value"
	FieldRequired     FieldErrorKind = "Required value"
	FieldForbidden    FieldErrorKind = "Forbidden"
	FieldNotSupported FieldErrorKind = "Unsupported value"
	FieldDuplicate    FieldErrorKind = "Duplicate value"
	FieldNotFound     FieldErrorKind = "Not found"
	FieldTooLong      FieldErrorKind = "Too long"
)

// FieldError is an error about a field.
type FieldError struct {
	Field  string // spec.template.spec.containers[0].name
	Kind   FieldErrorKind
	Value  string // as the API server prints it: numbers bare, strings quoted, everything else compact JSON
	Detail string // may be empty
}

// Body returns the error without the field: Invalid value: -1: must be greater than or equal to 0.
func (e FieldError) Body() string {
	s := string(e.Kind)
	switch e.Kind {
	case FieldInvalid, FieldNotSupported, FieldDuplicate, FieldNotFound:
		s += ": " + e.Value
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Error returns the field and the problem.
func (e FieldError) Error() string { return e.Field + ": " + e.Body() }

// FieldErrors are the errors of an object, in the order in which the API server finds them.
type FieldErrors []FieldError

// Message returns the text of the API server's answer:
// Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0.
func (es FieldErrors) Message(kind api.Kind, name string) string {
	s := es.texts()
	list := strings.Join(s, ", ")
	if len(s) > 1 {
		list = "[" + list + "]"
	}
	return kinds.Of(kind).GroupKind() + " " + strconv.Quote(name) + " is invalid: " + list
}

// KubectlMessage returns what kubectl prints for the same answer, without the last newline.
func (es FieldErrors) KubectlMessage(kind api.Kind, name string) string {
	head := "The " + string(kind) + " " + strconv.Quote(name) + " is invalid: "
	s := es.texts()
	if len(s) == 1 {
		return head + s[0]
	}
	return head + "\n* " + strings.Join(s, "\n* ")
}

// texts returns the errors as sentences, each one once.
func (es FieldErrors) texts() []string {
	var texts []string
	seen := map[string]bool{}
	for _, e := range es {
		if s := e.Error(); !seen[s] {
			seen[s] = true
			texts = append(texts, s)
		}
	}
	return texts
}

// The functions below add one error. A value is a string, a number, or what encoding/json prints.

// when returns the errors if a rule is broken, or else nil, to which nothing is added.
func (es *FieldErrors) when(broken bool) *FieldErrors {
	if broken {
		return es
	}
	return nil
}

// add adds an error of a kind, with a value if the kind shows one.
func (es *FieldErrors) add(field string, kind FieldErrorKind, value any, detail string) {
	if es == nil {
		return
	}
	e := FieldError{Field: field, Kind: kind, Detail: detail}
	if kind != FieldRequired && kind != FieldForbidden {
		e.Value = renderValue(value)
	}
	*es = append(*es, e)
}

// Invalid returns one error: the value of a field is not allowed.
func Invalid(field string, value any, detail string) (es FieldErrors) {
	es.invalid(field, value, detail)
	return es
}

func (es *FieldErrors) invalid(field string, value any, detail string) {
	es.add(field, FieldInvalid, value, detail)
}
func (es *FieldErrors) required(field, detail string)     { es.add(field, FieldRequired, nil, detail) }
func (es *FieldErrors) forbidden(field, detail string)    { es.add(field, FieldForbidden, nil, detail) }
func (es *FieldErrors) duplicate(field string, value any) { es.add(field, FieldDuplicate, value, "") }

// invalids adds an error for each of the details.
func (es *FieldErrors) invalids(field string, value any, details []string) {
	for _, d := range details {
		es.invalid(field, value, d)
	}
}

func (es *FieldErrors) notSupported(field string, value any, supported ...string) {
	es.add(field, FieldNotSupported, value, "supported values: "+words.Join(supported, ", ", strconv.Quote))
}

// needed adds an error for a text that is missing, or those of a check.
func (es *FieldErrors) needed(field, value, missing string, check func(string) []string) {
	if value == "" {
		es.required(field, missing)
	} else {
		es.invalids(field, value, check(value))
	}
}

// negative adds an error for a number below 0.
func (es *FieldErrors) negative(field string, n int64) {
	es.when(n < 0).invalid(field, n, "must be greater than or equal to 0")
}

// oneOf adds an error for a text that is not among the supported ones.
func (es *FieldErrors) oneOf(field, value string, supported ...string) {
	if !slices.Contains(supported, value) {
		es.notSupported(field, value, supported...)
	}
}

// oneOfPtr is oneOf for a text that may be absent.
func (es *FieldErrors) oneOfPtr(field string, value *string, supported ...string) {
	if value != nil {
		es.oneOf(field, *value, supported...)
	}
}

// renderValue prints a value as the API server does.
func renderValue(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return string(api.JSON(v))
}

// notSimulated begins the errors about what a real cluster would accept.
const notSimulated = "rollplay simulates "

// NotSimulated says whether a real cluster would accept the value.
func (e *FieldError) NotSimulated() bool { return strings.HasPrefix(e.Detail, notSimulated) }
