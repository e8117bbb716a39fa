package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// printedBy returns the text that a command has printed, whose last line ends, too, and the lines that went to stderr.
func printedBy(answer *read.Reading) (text string, errs []read.Line) {
	printed, errs := answer.Split()
	return words.Join(printed, "", func(l read.Line) string { return l.Text + "\n" }), errs
}

// given returns the texts that a command is given behind -f: the standard input, files, and the files of folders.
func (k *Kubectl) given(c *command) (string, error) {
	var texts []string
	var missing error
	for name := range strings.SplitSeq(c.Flags["filename"], line.Separator) {
		switch found := k.filesIn(name); {
		case name == "-" && !c.HasStdin:
			return "", errors.New("rollplay has no input for -f -: write <<EOF behind it, then the manifest, and EOF on a line of its own")
		case name == "-":
			texts = append(texts, c.Stdin)
		case strings.Contains(name, "://"):
			return "", errors.New("rollplay reaches no network: give the manifest to -f - as a here-document, <<EOF")
		case len(found) == 0:
			missing = join(missing, fmt.Errorf("the path %q does not exist\nDid you mean -f - <<EOF, with the manifest as a here-document?", name))
		default:
			for _, file := range found {
				texts = append(texts, k.files[file])
			}
		}
	}
	return strings.Join(texts, "\n---\n"), missing
}

func (k *Kubectl) file(name string) (text string, ok bool) {
	text, ok = k.files[line.FileName(name)]
	return text, ok
}

// filesIn returns the name of a file as it is kept, or the names of the files of a folder; none if there is neither.
func (k *Kubectl) filesIn(name string) []string {
	name = strings.TrimSuffix(line.FileName(name), "/")
	return slices.DeleteFunc(print.SortedKeys(k.files), func(known string) bool { return known != name && !strings.HasPrefix(known, name+"/") })
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

// manifests reads what a command is given behind -f.
func (k *Kubectl) manifests(c *command) ([]scenario.Manifest, error) {
	switch {
	case len(c.Rest) > 0 && !c.FromManifest():
		return nil, c.Usage(fmt.Errorf("Unexpected args: [%s]", strings.Join(c.Rest, " ")))
	case c.Flags["filename"] == "":
		return nil, errors.New("must specify one of -f and -k")
	}
	if k.Manifests == nil {
		return nil, errors.New("nothing reads manifests here")
	}
	var merge Merge
	switch printed := c.Flags["output"] != "" && c.Flags["output"] != "name"; {
	case c.FromManifest(), c.Dry == line.DryClient && !printed: // the server does not see them
		merge = func(m scenario.Manifest) (api.Object, error) {
			key := m.Object.Key()
			if key.Name != "" || c.Is("typed") && c.Unsupported(key) != nil || c.Verb == "create" || c.Verb == "replace" ||
				c.Verb == "scale" && c.Dry == line.DryClient {
				return nil, nil // these look no object up
			}
			return nil, errors.New("resource name may not be empty")
		}
	case c.Verb == "apply", c.Verb == "diff":
		merge = k.Merging(&c.Command)
	}
	text, err := k.given(c)
	if err != nil {
		return nil, err
	}
	all, refused := k.Manifests(text, merge)
	if refused != "" {
		return nil, errors.New(strings.TrimPrefix(refused, "error: "))
	}
	var manifests []scenario.Manifest
	var elsewhere []error
	for _, m := range all {
		breath.Take() // a text may have many
		if err := c.place(&m); err != nil {
			fetches := strings.HasPrefix(c.Verb, "rollout ") || c.Verb == "label" || c.Verb == "annotate" // before it looks at the namespace
			if fetches && k.store.Get(m.Object.Key()) == nil {
				err = line.Missing(stored{k.store}, m.Object.Key())
			}
			elsewhere = append(elsewhere, err)
		} else {
			manifests = append(manifests, m)
		}
	}
	return manifests, join(elsewhere...)
}

// place puts an object that names no namespace into that of -n, and refuses an object that names another (cli-runtime visitor.go:RequireNamespace).
func (c *command) place(m *scenario.Manifest) error {
	switch to := c.Flags["namespace"]; {
	case to == "" || m.Object.Key().Namespace == "" || m.Namespace == to:
		return nil
	case m.Namespace != "":
		return fmt.Errorf("the namespace from the provided object %q does not match the namespace %q. You must pass '--namespace=%s' to perform "+
			"this operation.", m.Namespace, to, m.Namespace) //nolint:staticcheck // kubectl's words
	default:
		tree := m.Tree()
		api.Fields(tree).Make("metadata")["namespace"] = to
		m.Object, m.JSON = api.Copy(m.Object), api.JSON(tree)
		m.Object.Meta().Namespace = to
		return nil
	}
}

// ofManifests returns what does something with the manifests that a command is given.
func ofManifests(do func(*Kubectl, *command, []scenario.Manifest) error) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		manifests, err := k.manifests(c)
		if err == nil || len(manifests) > 0 {
			err = join(err, do(k, c, manifests))
		}
		return err
	}
}

// sourced says where an object comes from that the server refuses.
func (c *command) sourced(doing string, err error) error {
	refused, ok := err.(*api.StatusError)
	if !ok || c.Verb == "diff" {
		return err
	}
	from := fmt.Sprintf("error when %s %q: ", doing, c.source())
	if refused.Reason == api.ReasonInvalid {
		return &api.StatusError{Reason: refused.Reason, Message: refused.Message, Doing: from}
	}
	return &api.StatusError{Reason: refused.Reason, Message: from + refused.Message}
}

func (c *command) source() string {
	if file := c.Flags["filename"]; file != "-" && !strings.Contains(file, line.Separator) {
		return cmp.Or(file, "scenario.yaml") // of the start
	}
	return "STDIN"
}
