// Package line reads what a person types: shell words, flags, types and names. It holds the table of the commands that are
// modelled, from which the parser, the completion, the help and the page /kubectl/ of the site are made.
//
// A line becomes one Command, which says whether it reads, writes, edits or waits.
package line

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Refused returns what kubectl answers to a line that it cannot read, which changes nothing in any cluster. A pipe runs both its sides.
func (c *Command) Refused() (answer string, refused bool) {
	if c.Err == nil || c.From != nil {
		return "", false
	}
	return ErrorText(c.Err), true
}

// Reads says whether the line only prints something: the state of the cluster, or help.
func (c *Command) Reads() bool {
	form, _, _ := strings.Cut(c.Flags["output"], "=")
	ofFile := strings.HasSuffix(form, "file") // files are the timeline's
	return c.WantsHelp || c.entry != nil && !c.entry.is("writes") && c.Into == "" && c.From == nil && !ofFile
}

// FromManifest says whether a manifest names the objects that the command is about.
func (c *Command) FromManifest() bool {
	return !c.Is("words") && c.Flags["filename"] != ""
}

// Is says whether verbs.txt has a word about the verb.
func (c *Command) Is(word string) bool { return c.entry.is(word) }

// FileName returns a file's name, whether it was typed with ./ or without.
func FileName(name string) string { return strings.TrimPrefix(name, "./") }

// Writes says whether the line changes the cluster. A line that kubectl cannot read neither reads nor writes.
func (c *Command) Writes() bool { return c.Err == nil && !c.Reads() && !c.Edits() }

// Edits says whether the line opens an object in the editor.
func (c *Command) Edits() bool { return c.Verb == "edit" && !c.WantsHelp }

// Waits says whether the command ends when the cluster reaches a state: rollout status, wait.
func (c *Command) Waits() bool { return c.entry != nil && c.entry.is("waits") && !c.WantsHelp }

// Drains says whether the command empties nodes, which takes its time: it prints more after its first answer.
func (c *Command) Drains() bool { return c.Verb == "drain" && !c.WantsHelp }

// WantsManifest says whether the line is kubectl apply -f - with nothing to read. Where there is an editor, its text is meant.
func (c *Command) WantsManifest() bool {
	return c.Err == nil && c.Verb == "apply" && len(c.Flags) == 1 && c.Flags["filename"] == "-" && !c.HasStdin && len(c.Rest) == 0
}

// In returns the command as kubectl carries it out in a current namespace. A line with -n keeps its own.
func (c *Command) In(namespace string) *Command {
	if c.Flags["namespace"] != "" || namespace == c.Namespace {
		return c
	}
	own := *c
	own.Namespace, own.Targets = namespace, slices.Clone(c.Targets)
	for i := range own.Targets {
		if own.Targets[i].Namespace != "" { // a node has none
			own.Targets[i].Namespace = namespace
		}
	}
	return &own
}

// Recorded writes the command as --record keeps it: first the words, then the flags by their long names.
func (c *Command) Recorded() string {
	words := append([]string{"kubectl"}, c.plain...)
	for _, name := range c.order {
		words = append(words, "--"+name+"="+c.Flags[name])
	}
	return strings.Join(words, " ")
}

// On says whether a flag without a value is given. It has a hundred callers, in which its code would make app.wasm larger.
//
//go:noinline
func (c *Command) On(flag string) bool { return c.Flags[flag] == "true" }

// inFull writes a line as a terminal shows it, whether the word kubectl was typed, the short k, or neither.
func inFull(text string) string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	if here, command, ok := strings.Cut(first, "|"); ok && strings.HasPrefix(here, "cat <<") {
		// cat <<EOF | kubectl apply -f - is kubectl apply -f - <<EOF
		text = strings.TrimSpace(command) + " " + strings.TrimSpace(strings.TrimPrefix(here, "cat ")) + "\n" + rest
	}
	switch word, rest, _ := strings.Cut(text, " "); {
	case word == "kubectl", word == "cat", strings.Contains(word, "="): // a variable is set first
		return text
	case word == "k":
		return "kubectl " + strings.TrimSpace(rest)
	}
	return "kubectl " + text
}

// TypeApart says whether the line names one object with its type as a word of its own: describe pod web.
func (c *Command) TypeApart() bool { return len(c.plain) == 3 && !strings.Contains(c.plain[1], "/") }

// TwoObjects says whether the line names two objects, each with its type: describe pod/web node/a.
func (c *Command) TwoObjects() bool { return len(c.plain) == 3 && strings.Contains(c.plain[1], "/") }

// ErrorText words an error as kubectl does. An invalid object has a sentence of its own.
func ErrorText(err error) string {
	switch err := err.(type) {
	case Whole:
		return string(err)
	case *api.StatusError:
		switch err.Reason {
		case api.ReasonInvalid:
			return err.Message
		case "":
			return "Error from server: " + err.Message
		}
		return fmt.Sprintf("Error from server (%s): %s", err.Reason, err.Message)
	}
	return "error: " + strings.TrimPrefix(err.Error(), "error: ")
}

// ErrorTexts words what went wrong with a command. Of several errors, that of an invalid object has its group and its reasons in one line,
// and none has "error: " in front.
func ErrorTexts(errs ...error) (texts []string) {
	for _, err := range errs {
		text := ErrorText(err)
		if len(errs) > 1 {
			if text == "error: "+err.Error() {
				text = err.Error()
			}
			if kind, rest, ok := strings.Cut(strings.TrimPrefix(text, "The "), " "); ok && strings.HasPrefix(text, "The ") {
				doing := ""
				if refused, ok := err.(*api.StatusError); ok {
					doing = refused.Doing
				}
				text = "Error from server (Invalid): " + doing + kinds.Of(api.Kind(kind)).GroupKind() + " " + rest
				if head, reasons, list := strings.Cut(text, "\n* "); list {
					text = head + "[" + strings.ReplaceAll(reasons, "\n* ", ", ") + "]"
				}
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// Whole is an error that kubectl prints without a word in front.
type Whole string

func (w Whole) Error() string { return string(w) }

// Missing is the answer to a name that is not there: if no object is in its namespace, that one is missing.
func Missing(cluster interface{ All(api.Kind) []api.Object }, key api.Key) error {
	if key.Namespace == "" || key.Namespace == api.NamespaceDefault {
		return kinds.NotFound(key)
	}
	for _, kind := range kinds.Stored() {
		for _, o := range cluster.All(kind) {
			if o.Meta().Namespace == key.Namespace || o.Key() == (api.Key{Kind: KindNamespace, Name: key.Namespace}) {
				return kinds.NotFound(key)
			}
		}
	}
	return &api.StatusError{Reason: api.ReasonNotFound, Message: `namespaces "` + key.Namespace + `" not found`}
}

// NoneFound is kubectl's answer to an empty list (K-37): of all namespaces, or of its own.
func (c *Command) NoneFound(everywhere bool) string {
	if everywhere {
		return "No resources found"
	}
	return "No resources found in " + c.Namespace + " namespace."
}
