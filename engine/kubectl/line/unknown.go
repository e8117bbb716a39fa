package line

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// foreign are the verbs of kubectl that are not supported here. Any other unknown word is a typo.
var foreign = strings.Fields("alpha attach certificate completion cp debug exec kustomize options " +
	"plugin port-forward proxy top")

// foreignBehind are the words behind a group that kubectl has and rollplay does not.
var foreignBehind = map[string][]string{
	"auth": {"reconcile"},
	"config": strings.Fields("delete-cluster delete-context delete-user get-clusters get-users rename-context set set-cluster " +
		"set-credentials unset"),
	"create": strings.Fields("clusterrole clusterrolebinding ingress priorityclass role rolebinding service svc token"),
	"set":    strings.Fields("selector serviceaccount subject"),
}

// instead are what to type in place of verbs that reach into a container, or out of the cluster.
var instead = map[string]string{
	"config delete-context": insteadOfContexts, "config rename-context": insteadOfContexts, "config set": insteadOfContexts,
	"config set-cluster": insteadOfContexts, "config set-credentials": insteadOfContexts, "config unset": insteadOfContexts,
	"create clusterrole": insteadOfRoles, "create clusterrolebinding": insteadOfRoles, "create role": insteadOfRoles,
	"create rolebinding": insteadOfRoles, "create ingress": insteadOfStored, "create priorityclass": insteadOfStored,
	"attach": insteadOfPrograms, "cp": insteadOfPrograms, "debug": insteadOfPrograms, "exec": insteadOfPrograms,
	"port-forward": "nothing listens in its containers; kubectl get pods -o wide shows their addresses",
	"proxy":        "nothing listens here; kubectl get -o json prints what the API would",
	"kustomize":    "it has no files; give the manifest to kubectl apply -f - as a here-document, <<EOF",
	"completion":   "press Tab behind a word",
	"options":      "kubectl --help lists what it models",
}

const (
	insteadOfContexts = "its only context is rollplay; kubectl config set-context --current --namespace=NAME chooses the namespace"
	insteadOfRoles    = "nothing is forbidden here; kubectl apply -f - <<EOF stores one"
	insteadOfStored   = "give it to kubectl apply -f - <<EOF, which stores it"
	insteadOfPrograms = "no program runs in its containers; try kubectl describe pod/NAME or kubectl logs NAME"
)

// unknownVerb is the answer to a verb that is not in the table: one of kubectl that is not supported here, or a typo.
func unknownVerb(name string) error {
	group, word, behind := strings.Cut(name, " ")
	switch {
	case name == "top":
		return errors.New("Metrics API not available")
	case instead[name] != "":
		return fmt.Errorf("rollplay does not model %q: %s", "kubectl "+name, instead[name])
	case behind && slices.Contains(foreignBehind[group], word), !behind && slices.Contains(foreign, name):
		return fmt.Errorf("rollplay does not model %q; kubectl --help lists what it models", "kubectl "+name)
	}
	return typo(name)
}

// typosMax is how many typos kubectl takes a word to have.
const typosMax = 2

// typo is kubectl's answer to a word that is not a command, with all that are close (cobra's SuggestionsFor).
func typo(word string) error {
	names := append(slices.Clone(foreign), firstWords()...)
	slices.Sort(names)
	text := fmt.Sprintf("unknown command %q for \"kubectl\"", word)
	head := "\n\nDid you mean this?"
	for _, name := range slices.Compact(names) {
		if api.Typos(strings.ToLower(word), name, false) <= typosMax || strings.HasPrefix(name, strings.ToLower(word)) {
			text += head + "\n\t" + name
			head = ""
		}
	}
	return errors.New(text)
}

// noStatusViewer is kubectl's answer to a kind that is not rolled out.
func noStatusViewer(key api.Key) error {
	return errors.New("no status viewer has been implemented for " + kinds.Of(key.Kind).GroupKind())
}

// noVisitor returns kubectl's answer to a kind that has no revisions.
func noVisitor(visitor, what string) func(api.Key) error {
	return func(key api.Key) error {
		k := kinds.Of(key.Kind)
		if key.Kind == api.KindPod || key.Kind == api.KindReplicaSet { // upstream has a case for them
			return fmt.Errorf("no %s has been implemented for %q", visitor, k.GroupKind())
		}
		return fmt.Errorf("error retrieving %s for %q, no visitor method exists for {%s %s}", what, k.GroupKind(), k.Group, key.Kind)
	}
}

// unsupported returns kubectl's answer to a rollout verb about another kind.
func unsupported(doing string) func(api.Key) error {
	return func(key api.Key) error {
		return fmt.Errorf("error: %s %q %s is not supported", kinds.Of(key.Kind).Resource(), key.Name, doing)
	}
}

// notNode is the answer of the verbs of nodes to another kind.
func notNode(key api.Key) error {
	return fmt.Errorf("expected resource of type node, got %q", ResourceVersion(key.Kind))
}

// noTemplate is the answer of the verbs that change templates to another kind. They change pods, too.
func noTemplate(key api.Key) error {
	k := kinds.Of(key.Kind)
	switch key.Kind {
	case api.KindPod:
		return nil
	case "Job", "CronJob":
		return fmt.Errorf("rollplay does not model changes of the template of %s: apply another manifest", k.Plural)
	}
	return fmt.Errorf("error: %s/%s the object is not a pod or does not have a pod template: *%s.%s\n", k.Plural, key.Name, k.Version, key.Kind)
}

// noScale is the server's answer to scaling an object without replicas.
func noScale(api.Key) error {
	return &api.StatusError{Reason: api.ReasonNotFound, Message: "the server could not find the requested resource"}
}

// noAutoscale is the answer about an object without replicas.
func noAutoscale(key api.Key) error {
	return fmt.Errorf("cannot autoscale a %s: could not find scale subresource for %s in discovery information", key.Kind,
		ResourceVersion(key.Kind))
}

// noExpose is the answer about an object that no Service is made for (canbeexposed.go).
func noExpose(key api.Key) error {
	return errors.New("cannot expose a " + kinds.Of(key.Kind).GroupKind())
}
