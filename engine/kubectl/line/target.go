package line

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// errMixed is the answer to `get pod pod/web`; upstream's sentence has no closing bracket either.
var errMixed = errors.New("there is no need to specify a resource type as a separate argument when passing arguments in " +
	"resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'")

// takeResources reads `type/name …`, `type name …` or `type,type` (cli-runtime pkg/resource/builder.go:ResourceTypeOrNameArgs).
func (c *Command) takeResources(words []string) error {
	if len(words) > 1 && strings.Contains(words[0], ",") {
		words = crossed(words)
	}
	slashes := 0
	for _, w := range words {
		if strings.Contains(w, "/") {
			slashes++
		}
	}
	var err error
	switch {
	case len(words) == 0:
	case slashes == len(words):
		err = c.takeTypeNames(words)
	case slashes > 0:
		err = errMixed
	default:
		err = c.takeTypeAndNames(words)
	}
	return cmp.Or(err, c.checkSelection(), c.checkKinds())
}

// crossed turns `pod,rs a b` into `pod/a pod/b rs/a rs/b`.
func crossed(words []string) (out []string) {
	for kind := range strings.SplitSeq(words[0], ",") {
		for _, name := range words[1:] {
			out = append(out, kind+"/"+name)
		}
	}
	return out
}

func (c *Command) takeTypeNames(words []string) error {
	for _, w := range words {
		kind, name, _ := strings.Cut(w, "/")
		switch {
		case strings.Contains(name, "/"):
			return errors.New("arguments in resource/name form may not have more than one slash")
		case kind == "" || name == "" || strings.Contains(kind, ","):
			return errors.New("arguments in resource/name form must have a single resource and name")
		}
	}
	if c.selects() {
		return errors.New("selectors and the all flag cannot be used when passing resource/name arguments")
	}
	for _, w := range words {
		kind, name, _ := strings.Cut(w, "/")
		k, err := FindKind(kind)
		if err != nil {
			return err
		}
		c.AddTarget(k, name)
	}
	return nil
}

func (c *Command) takeTypeAndNames(words []string) error {
	if len(words) > 1 && c.selects() {
		return errors.New("name cannot be provided when a selector is specified")
	}
	found, err := findKinds(words[0])
	if err != nil {
		return err
	}
	if len(words) == 1 {
		c.Kinds = found
		return nil
	}
	if len(found) > 1 { // all web
		return errors.New("you must specify only one resource")
	}
	for _, name := range words[1:] {
		c.AddTarget(found[0], name)
	}
	return nil
}

func (c *Command) AddTarget(kind api.Kind, name string) {
	c.Targets = append(c.Targets, api.Key{Kind: kind, Namespace: c.NamespaceOf(kind), Name: name})
}

func (c *Command) NamespaceOf(kind api.Kind) string {
	if kinds.Of(kind).Cluster {
		return ""
	}
	return c.Namespace
}

func (c *Command) checkKinds() error {
	known := c.entry.kinds()
	if c.entry.unsupported != nil {
		known = kinds.Stored()
	}
	var asked []api.Kind
	for _, t := range c.Targets {
		asked = append(asked, t.Kind)
	}
	for _, k := range append(asked, c.Kinds...) {
		if !slices.Contains(known, k) {
			return fmt.Errorf("rollplay models %q for %s, not for %s", "kubectl "+c.Verb, PluralList(known), kinds.Of(k).Plural)
		}
	}
	return nil
}

// Unsupported is what kubectl answers about an object of a kind that the verb does not work on, once it has looked it up.
func (c *Command) Unsupported(key api.Key) error {
	if c.entry.unsupported == nil || c.Verb == "scale" && c.Dry == DryClient || slices.Contains(c.entry.kinds(), key.Kind) {
		return nil
	}
	return c.entry.unsupported(key)
}

// selects says whether the command chooses its objects by more than their names. For most verbs, --all only lets them be left out.
func (c *Command) selects() bool {
	return c.On("all") && (c.Verb == "delete" || c.Verb == "apply view-last-applied") || c.Selector != nil || c.Flags["field-selector"] != ""
}

// checkSelection refuses types without names where the verb needs them, and nothing.
func (c *Command) checkSelection() error {
	switch {
	case c.On("all-namespaces") && len(c.Targets) > 0 && c.Targets[0].Namespace != "":
		return errors.New("a resource cannot be retrieved by name across all namespaces")
	case len(c.Targets)+len(c.Kinds) == 0:
		return c.nothingNamed(c.selects())
	case len(c.Kinds) > 0 && !c.selects() && !c.On("all") && !c.entry.is("bulk"):
		return errors.New("resource(s) were provided, but no name was specified")
	}
	return nil
}

func (c *Command) nothingNamed(selects bool) error {
	missing := c.entry.missing
	if c.On("watch") || c.On("watch-only") { // then kubectl get has no words of its own
		missing = ""
	}
	switch {
	case c.entry.is("optional"):
		return nil
	case strings.Contains(missing, "error: "):
		return Whole(missing)
	case missing != "":
		return errors.New(missing)
	case selects:
		return errors.New("at least one resource must be specified to use a selector")
	}
	return errors.New(`You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`)
}
