package kubectl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
)

// keep writes what a command has printed into the file behind >; errors are still shown. A later line may read it with -f. A run has no
// more files than commands.
func (k *Kubectl) keep(c *command) {
	printed, errs := c.answer.Split()
	c.answer.Lines = errs
	k.files[c.Into] = (&read.Reading{Lines: append(printed, read.Line{})}).Text() // the last line ends, too
}

// given returns the texts that a command is given behind -f: the standard input, files, and the files of folders.
func (k *Kubectl) given(c *command) (string, error) {
	var texts []string
	var missing failures
	for name := range strings.SplitSeq(c.Flags["filename"], line.Separator) {
		switch found := k.file(name); {
		case name == "-" && !c.HasStdin:
			return "", errors.New("rollplay has no input for -f -: write <<EOF behind it, then the manifest, and EOF on a line of its own")
		case name == "-":
			texts = append(texts, c.Stdin)
		case strings.Contains(name, "://"):
			return "", errors.New("rollplay reaches no network: give the manifest to -f - as a here-document, <<EOF")
		case found == nil:
			missing = missing.and(fmt.Errorf("the path %q does not exist\nDid you mean -f - <<EOF, with the manifest as a here-document?", name))
		default:
			texts = append(texts, found...)
		}
	}
	return strings.Join(texts, "\n---\n"), missing.orNil()
}

// file returns the text of a file, or those of a folder by their names; nil if it is not there.
func (k *Kubectl) file(name string) (texts []string) {
	name = strings.TrimSuffix(line.FileName(name), "/")
	for _, known := range print.SortedKeys(k.files) {
		if known == name || strings.HasPrefix(known, name+"/") {
			texts = append(texts, k.files[known])
		}
	}
	return texts
}

// asGiven returns a manifest with all its annotations, of which apply keeps others.
func asGiven(m scenario.Manifest) map[string]any {
	tree := m.Tree()
	meta := api.Fields(tree).Object("metadata")
	delete(meta, "annotations")
	for name, value := range m.Object.Meta().Annotations {
		meta.Make("annotations")[name] = value
	}
	return tree
}

// takeNamed takes the objects of the manifests behind -f for those that a command is about.
func (k *Kubectl) takeNamed(c *command) error {
	if !c.FromManifest() {
		return nil
	}
	manifests, err := k.manifests(c)
	for _, m := range manifests {
		key := m.Object.Key()
		if c.Targets = append(c.Targets, key); c.Is("asis") {
			c.given[key] = m
		}
		if !c.Is("typed") {
			continue
		}
		_, issues := decode.JSON(key.Kind, m.JSON)
		if !slices.ContainsFunc(issues, func(i decode.Issue) bool { return !i.Unknown }) {
			continue
		}
		if c.wrong[key] = fmt.Errorf("unable to decode %q: %s", c.source(), decode.Message(issues)); c.Verb != "rollout undo" {
			c.wrong[key] = line.Whole(c.wrong[key].Error()) // one of a list, which has no word in front
		}
	}
	return err
}
