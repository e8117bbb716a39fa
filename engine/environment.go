package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/kubelet"
)

// Environment is the actor of what happens to pods without anybody asking the API server for it: containers crash,
// probes fail.
const Environment = "environment"

// doVerb is a verb of the environment, spelled like those of kubectl: crash pod/web-x -n shop.
type doVerb struct {
	name, done string // what it is called, and what came of it
	do         func(*kubelet.Kubelet, api.Key) error
}

var doVerbs = [...]doVerb{
	{"crash", "crashed", (*kubelet.Kubelet).Crash},
	{"fail-readiness", "fails its readiness probes from now on", (*kubelet.Kubelet).FailReadiness},
	{"restore-readiness", "answers its readiness probes again", (*kubelet.Kubelet).RestoreReadiness},
}

// doLine returns a line of the environment without the sign in front that the trace shows it with.
func doLine(line string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
}

// do carries out a line of the environment. One that cannot be carried out changes nothing.
func (w *world) do(line string) kubectl.Answer {
	verb, key, err := parseDo(line)
	if err == nil && w.server.Store.Get(key) == nil {
		err = fmt.Errorf("pod %q not found", key.Name)
	}
	if err == nil {
		err = verb.do(w.kubelet, key)
	}
	if err != nil {
		return kubectl.Answer{Output: "error: " + err.Error(), Failed: true}
	}
	return kubectl.Answer{Output: "pod/" + key.Name + " " + verb.done}
}

// parseDo reads a line: a verb, one pod (pod/web-x or pod web-x), and perhaps its namespace.
func parseDo(line string) (verb *doVerb, pod api.Key, err error) {
	words, namespace, err := takeNamespace(strings.Fields(doLine(line)))
	if err != nil {
		return nil, pod, err
	}
	if len(words) == 0 {
		return nil, pod, errors.New("a verb is missing; for example: crash pod/web-x")
	}
	if verb = findDoVerb(words[0]); verb == nil {
		return nil, pod, fmt.Errorf("the environment knows no %q; it knows %s", words[0], knownDoVerbs())
	}
	name, err := podName(verb.name, words[1:])
	return verb, api.Key{Kind: api.KindPod, Namespace: namespace, Name: name}, err
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

// podName reads the words behind a verb, which name one pod.
func podName(verb string, words []string) (string, error) {
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return "", fmt.Errorf("unknown flag: %s", w)
		}
	}
	kind, name, _ := strings.Cut(strings.Join(words, "/"), "/")
	switch {
	case len(words) == 0 || name == "":
		return "", fmt.Errorf("%s needs the name of a pod, for example pod/web-x", verb)
	case kind != "pod" && kind != "pods" && kind != "po":
		return "", fmt.Errorf("%s is for a pod, not for a %s", verb, kind)
	case strings.Contains(name, "/"):
		return "", fmt.Errorf("%s is for one pod", verb)
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
