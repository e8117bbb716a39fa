package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
)

// Environment is the actor of what happens to pods and nodes without anybody asking the API server for it: containers
// crash, probes fail, machines die and come back.
const Environment = "environment"

// doVerb is a verb of the environment, spelled like those of kubectl: crash pod/web-x -n shop.
type doVerb struct {
	name, done string   // what it is called, and what came of it
	kind       api.Kind // of what it is about
	example    string   // of a name
	do         func(*world, *deed) error
}

// deed is a line of the environment: a verb, what it is about, and words like cpu=4 behind it.
type deed struct {
	verb  *doVerb
	key   api.Key
	words []string
}

var doVerbs = [...]doVerb{
	{"crash", "crashed", api.KindPod, "pod/web-x", onPod((*kubelet.Kubelet).Crash)},
	{"fail-readiness", "fails its readiness probes from now on", api.KindPod, "pod/web-x", onPod((*kubelet.Kubelet).FailReadiness)},
	{"restore-readiness", "answers its readiness probes again", api.KindPod, "pod/web-x", onPod((*kubelet.Kubelet).RestoreReadiness)},
	{"kill", "is down, with all that ran on it", api.KindNode, "node/node-2", onNode((*kubelet.Kubelet).Kill)},
	{"restore", "is up again", api.KindNode, "node/node-2", onNode((*kubelet.Kubelet).Restore)},
	{"add", "added", api.KindNode, "node/node-4", (*world).addNode},
	{"remove", "removed", api.KindNode, "node/node-2", onNode((*kubelet.Kubelet).Remove)},
}

func onPod(do func(*kubelet.Kubelet, api.Key) error) func(*world, *deed) error {
	return func(w *world, d *deed) error {
		if w.server.Store.Get(d.key) == nil {
			return fmt.Errorf("pod %q not found", d.key.Name)
		}
		return do(w.kubelet, d.key)
	}
}

func onNode(do func(*kubelet.Kubelet, string) error) func(*world, *deed) error {
	return func(w *world, d *deed) error {
		if w.server.Store.Get(d.key) == nil {
			return fmt.Errorf("node %q not found", d.key.Name)
		}
		return do(w.kubelet, d.key.Name)
	}
}

// doLine returns a line of the environment without the sign in front that the trace shows it with.
func doLine(line string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
}

// do carries out a line of the environment. One that cannot be carried out changes nothing.
func (w *world) do(line string) *Reading {
	d, err := parseDo(line)
	if err == nil {
		err = d.verb.do(w, d)
	}
	if err != nil {
		return w.refused("error: " + err.Error())
	}
	answer := &Reading{}
	answer.Print(w.kernel.Now(), strings.ToLower(string(d.key.Kind))+"/"+d.key.Name+" "+d.verb.done)
	return answer
}

// parseDo reads a line: a verb, one pod (pod/web-x or pod web-x) and perhaps its namespace, or one node.
func parseDo(line string) (*deed, error) {
	words, namespace, err := takeNamespace(strings.Fields(doLine(line)))
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("a verb is missing; for example: crash pod/web-x")
	}
	d := &deed{verb: findDoVerb(words[0])}
	if d.verb == nil {
		return nil, fmt.Errorf("the environment knows no %q; it knows %s", words[0], knownDoVerbs())
	}
	words = words[1:]
	if at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "=") }); at >= 0 {
		words, d.words = words[:at], words[at:]
	}
	if len(d.words) > 0 && d.verb.name != "add" {
		return nil, fmt.Errorf("%s takes no %q", d.verb.name, d.words[0])
	}
	d.key.Kind = d.verb.kind
	if d.key.Kind == api.KindPod {
		d.key.Namespace = namespace
	}
	d.key.Name, err = d.verb.nameOf(words)
	return d, err
}

// takeNamespace takes the namespace out of the words of a line, wherever it stands.
func takeNamespace(words []string) (rest []string, namespace string, err error) {
	namespace = "default"
	for i := 0; i < len(words); i++ {
		flag, value, hasValue := strings.Cut(words[i], "=")
		switch {
		case flag != "-n" && flag != "--namespace":
			rest = append(rest, words[i])
		case hasValue:
			namespace = value
		case i+1 == len(words):
			return nil, "", fmt.Errorf("flag needs an argument: %s", flag)
		default:
			i++
			namespace = words[i]
		}
	}
	return rest, namespace, nil
}

// doKinds are the words for the kinds that the environment's verbs are about.
var doKinds = map[api.Kind][]string{api.KindPod: {"pod", "pods", "po"}, api.KindNode: {"node", "nodes", "no"}}

// nameOf reads the words behind a verb, which name one pod or node.
func (v *doVerb) nameOf(words []string) (string, error) {
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return "", fmt.Errorf("unknown flag: %s", w)
		}
	}
	known := doKinds[v.kind]
	kind, name, _ := strings.Cut(strings.Join(words, "/"), "/")
	switch {
	case len(words) == 0 || name == "":
		return "", fmt.Errorf("%s needs the name of a %s, for example %s", v.name, known[0], v.example)
	case !slices.Contains(known, kind):
		return "", fmt.Errorf("%s is for a %s, not for a %s", v.name, known[0], kind)
	case strings.Contains(name, "/"):
		return "", fmt.Errorf("%s is for one %s", v.name, known[0])
	}
	return name, nil
}

func findDoVerb(name string) *doVerb {
	for i := range doVerbs {
		if doVerbs[i].name == name {
			return &doVerbs[i]
		}
	}
	return nil
}

func knownDoVerbs() string {
	var names []string
	for i := range doVerbs {
		names = append(names, doVerbs[i].name)
	}
	return strings.Join(names, ", ")
}
