package line

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Context is the name of kubectl's first context here, and of its cluster and user. Server is where the cluster is: nowhere.
const Context, Server = "rollplay", "https://rollplay.invalid"

// Kubeconfig is what kubectl config shows and changes.
//
// Simplified: every context leads to the simulated cluster, and its user may do everything.
type Kubeconfig struct {
	Current string     // context
	Lists   api.Fields // clusters, contexts and users by their names
}

// NewKubeconfig returns a kubeconfig as that of a new cluster. As there, it names no namespace but another one than default.
func NewKubeconfig(namespace string) *Kubeconfig {
	k := &Kubeconfig{Current: Context, Lists: api.Fields{}}
	k.set("clusters", Context, map[string]string{"server": Server})
	k.set("contexts", Context, map[string]string{"cluster": Context, "user": Context})
	k.set("users", Context, nil)
	if namespace != api.NamespaceDefault {
		k.set("contexts", Context, map[string]string{"namespace": namespace})
	}
	return k
}

// always are the fields that entries of the lists always have.
var always = map[string][]string{"clusters": {"server"}, "contexts": {"cluster", "user"}}

// set changes the fields of an entry to what the flags say.
func (k *Kubeconfig) set(list, name string, flags map[string]string) {
	entry := k.Lists.Make(list).Make(name)
	for _, field := range always[list] {
		entry[field] = entry.Text(field)
	}
	for flag, value := range flags {
		entry[flag] = value
	}
	delete(entry, "current")
}

func (k *Kubeconfig) Namespace() string {
	return cmp.Or(k.Lists.Object("contexts").Object(k.Current).Text("namespace"), api.NamespaceDefault)
}

func (c *Command) Configures() bool { return strings.HasPrefix(c.Verb, "config ") && c.Writes() }

// Change carries out such a line, and returns what kubectl says.
func (k *Kubeconfig) Change(c *Command) (said string, err error) {
	name, current := strings.Join(c.Rest, " "), c.On("current")
	switch {
	case len(c.Rest) > 1, name == "" && c.Verb != "config set-context":
		return "", fmt.Errorf("Unexpected args: %v", c.Rest) //nolint:staticcheck // kubectl's words
	case name == "" && !current:
		return "", errors.New("you must specify a non-empty context name or --current")
	case name != "" && current:
		return "", errors.New("you cannot specify both a context name and --current")
	}
	name = cmp.Or(name, k.Current)
	known := k.Lists.Object("contexts").Object(name) != nil
	list, entry, _ := strings.Cut(name, ".")
	switch {
	case c.Verb == "config set-cluster":
		k.set("clusters", name, c.Flags)
		return fmt.Sprintf("Cluster %q set.", name), nil
	case c.Verb == "config set-credentials":
		k.set("users", name, c.Flags)
		return fmt.Sprintf("User %q set.", name), nil
	case c.Verb == "config set-context":
		k.set("contexts", name, c.Flags)
		return fmt.Sprintf("Context %q %s.", name, map[bool]string{true: "modified", false: "created"}[known]), nil
	case c.Verb == "config unset" && k.Lists[list] == nil:
		return "", fmt.Errorf("rollplay models kubectl config unset for clusters.NAME, contexts.NAME and users.NAME, not for %s", name)
	case c.Verb == "config unset":
		delete(k.Lists.Object(list), entry)
		return fmt.Sprintf("Property %q unset.", name), nil
	case !known:
		return "", fmt.Errorf("no context exists with the name: %q", name)
	}
	k.Current = name
	return fmt.Sprintf("Switched to context %q.", name), nil
}
