package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// findObject returns the document with an object and the path of the object in it, or nil.
func findObject(text string, key api.Key) (*yamltext.Document, []string) {
	for _, d := range yamltext.Split(text) {
		if path, ok := objectPath(d.Root(), key); ok {
			return d, path
		}
	}
	return nil, nil
}

func objectPath(n *yamltext.Node, key api.Key) (path []string, ok bool) {
	meta := yamltext.Child(n, "metadata")
	namespace := cmp.Or(yamltext.Word(meta, "namespace"), api.NamespaceDefault)
	if yamltext.Word(n, "kind") == string(key.Kind) && yamltext.Word(meta, "name") == key.Name && namespace == key.Namespace {
		return nil, true
	}
	if items := yamltext.Child(n, "items"); items != nil {
		for i, item := range items.Content {
			if path, ok := objectPath(item, key); ok {
				return append([]string{"items", strconv.Itoa(i)}, path...), true
			}
		}
	}
	return nil, false
}

// edit is a value at a path of a document; what has no value is removed.
type edit struct {
	path  []string
	value string
}

// editContainers makes edits of each container of a workload; found is false if the text does not write them out.
func editContainers(text string, workload api.Key, of func(c *yamltext.Node, at []string) []edit) (edited string, found bool, err error) {
	d, path := findObject(text, workload)
	if d == nil {
		return text, false, nil
	}
	path = append(path, "spec", "template", "spec", "containers")
	list := d.At(path)
	if list == nil || len(list.Content) == 0 {
		return text, false, nil
	}
	var edits []edit
	for i, c := range list.Content {
		edits = append(edits, of(c, below(path, strconv.Itoa(i)))...)
	}
	edited, err = setAll(text, d, edits)
	return edited, true, err
}

// setAll makes edits of one document of a text.
func setAll(text string, d *yamltext.Document, edits []edit) (edited string, err error) {
	for _, e := range edits {
		if e.value == "" {
			text, err = d.Remove(e.path)
		} else {
			text, err = d.Set(e.path, e.value)
		}
		if err != nil {
			return "", err
		}
		d = yamltext.Split(text)[d.Number-1]
	}
	return text, nil
}

// below returns a path with more steps.
func below(path []string, steps ...string) []string { return append(slices.Clone(path), steps...) }

// dropKind takes the objects of a kind out of a text: documents, and Lists that have no other objects.
func dropKind(source, kind string) (string, error) {
	for _, d := range slices.Backward(yamltext.Split(source)) {
		items, found := yamltext.Child(d.Root(), "items"), 0
		if items != nil {
			for _, item := range items.Content {
				if yamltext.Word(item, "kind") == kind {
					found++
				}
			}
		}
		switch {
		case found > 0 && found < len(items.Content):
			return "", fmt.Errorf("a List has a %s beside other objects: write them as documents of their own", kind)
		case found > 0 || yamltext.Word(d.Root(), "kind") == kind:
			source = d.Cut(source)
		}
	}
	return source, nil
}

// SetSeed returns the text with another seed.
func SetSeed(source string, seed uint64) (string, error) {
	return scenario.SetSpec(source, []string{"seed"}, strconv.FormatUint(seed, 10))
}

// Pair gives the plan's runs keyed draws: the random numbers of a pod depend only on its workload, revision and ordinal, so a
// difference between two runs comes from their settings.
func (p *Plan) Pair() error {
	text, err := scenario.SetSpec(p.Recording.Scenario, []string{"draws"}, "keyed")
	if err == nil {
		p.Recording.Scenario = text
	}
	return err
}

// SetContainers sets a field of each container of a workload.
func SetContainers(source string, workload api.Key, path []string, value string) (string, error) {
	text, found, err := editContainers(source, workload, func(_ *yamltext.Node, at []string) []edit {
		return []edit{{below(at, path...), value}}
	})
	if !found {
		return "", fmt.Errorf("the containers of %s are not in the text: it comes with a command", workload)
	}
	return text, err
}

// SetRepair sets what ends losses: minReadySeconds of a workload, or a field of each of its containers.
func SetRepair(source string, workload api.Key, field, value string) (string, error) {
	if field == "minReadySeconds" {
		return SetField(source, workload, []string{field}, value)
	}
	return SetContainers(source, workload, []string{field}, value)
}

// SetField sets a field of an object's spec: {"strategy", "rollingUpdate", "maxSurge"}.
func SetField(source string, object api.Key, path []string, value string) (string, error) {
	d, at := findObject(source, object)
	if d == nil {
		return "", fmt.Errorf("%s is not in the text: it comes with a command", object)
	}
	return d.Set(append(append(at, "spec"), path...), value)
}

// probe is added to a container without a readiness probe.
const probe = `{exec: {command: ["true"]}, initialDelaySeconds: 1, periodSeconds: 1}`

// Probed returns the plan's text with a readiness probe for every container of its workload that is asked each second, from the first
// one on, and with half an hour of time or more. Then the environment can decide which pod becomes Ready when.
func (p *Plan) Probed() (string, error) {
	source := p.Recording.Scenario
	if s, _ := scenario.Parse(source); s == nil || s.Duration < scenario.DurationDefault {
		var err error
		if source, err = scenario.SetSpec(source, []string{"duration"}, "30m"); err != nil {
			return "", err
		}
	}
	text, found, err := editContainers(source, p.key, func(c *yamltext.Node, at []string) []edit {
		at = append(at, "readinessProbe")
		if yamltext.Child(c, "readinessProbe") == nil {
			return []edit{{at, probe}}
		}
		return []edit{{below(at, "periodSeconds"), "1"}, {below(at, "initialDelaySeconds"), "1"}}
	})
	if !found {
		return "", fmt.Errorf("%s has no containers in the text: write them out", strings.TrimPrefix(p.Workload, "/"))
	}
	return text, err
}
