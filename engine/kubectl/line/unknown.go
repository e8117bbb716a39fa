package line

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// foreign are the verbs of kubectl that are not supported here. Any other unknown word is a typo.
var foreign = strings.Fields("alpha api-resources api-versions attach auth certificate cluster-info completion config cp " +
	"debug diff exec expose kustomize logs options plugin port-forward proxy replace run top version")

// foreignBehind are the words behind a group that kubectl knows and rollplay does not.
var foreignBehind = map[string][]string{
	"create": strings.Fields("clusterrole clusterrolebinding configmap cm cronjob ingress job namespace ns " +
		"priorityclass role rolebinding secret service svc serviceaccount sa token"),
	"set": strings.Fields("selector serviceaccount subject"),
}

// unknownVerb is the answer to a verb that is not in the table: one of kubectl that is not supported here, or a typo.
func unknownVerb(name string) error {
	group, word, behind := strings.Cut(name, " ")
	switch {
	case behind && slices.Contains(foreignBehind[group], word), !behind && slices.Contains(foreign, name):
		return fmt.Errorf("rollplay does not model %q; it models %s", "kubectl "+name, knownVerbs())
	case behind:
		return typo(word, "kubectl "+group, subcommands(group))
	}
	var names []string
	for i := range verbs {
		first, _, _ := strings.Cut(verbs[i].name, " ")
		names = append(names, first)
	}
	return typo(name, "kubectl", append(names, foreign...))
}

// typo is kubectl's answer to a word that is not a command.
func typo(word, behind string, names []string) error {
	err := fmt.Sprintf("unknown command %q for %q", word, behind)
	if near := api.Nearest(word, names); near != "" {
		return fmt.Errorf("%s\n\nDid you mean this?\n\t%s", err, near)
	}
	return fmt.Errorf("%s; rollplay models %s", err, knownVerbs())
}

func knownVerbs() string {
	var names []string
	for i := range verbs {
		names = append(names, verbs[i].name)
	}
	return strings.Join(names, ", ")
}
