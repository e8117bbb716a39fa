package kubectl

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// manifests reads what a command is given behind -f -.
func (k *Kubectl) manifests(c *command) ([]Manifest, error) {
	switch {
	case c.flags["filename"] == "":
		return nil, errors.New("must specify one of -f and -k")
	case len(c.rest) > 0:
		return nil, fmt.Errorf("Unexpected args: [%s]", strings.Join(c.rest, " "))
	case c.flags["filename"] != "-":
		return nil, fmt.Errorf("rollplay has no file %q: give the manifest to -f - as a here-document, <<EOF", c.flags["filename"])
	case !c.hasStdin:
		return nil, errors.New("nothing is given to -f -: write <<EOF behind it, then the manifest, and EOF on a line of its own")
	case c.flags["namespace"] != "":
		return nil, errors.New("rollplay does not model --namespace together with -f: write metadata.namespace into the manifest")
	}
	if k.Manifests == nil {
		return nil, errors.New("nothing reads manifests here")
	}
	manifests, refused := k.Manifests(c.stdin)
	if refused != "" {
		return nil, errors.New(strings.TrimPrefix(refused, "error: "))
	}
	return manifests, nil
}

// applyText applies the manifest that the command is given.
func (k *Kubectl) applyText(c *command) (string, error) {
	manifests, err := k.manifests(c)
	if err != nil {
		return "", err
	}
	return k.applyAll(c, manifests)
}

// create creates the objects of the manifest that the command is given (K-35). Unlike apply it keeps no copy of it.
func (k *Kubectl) create(c *command) (string, error) {
	manifests, err := k.manifests(c)
	if err != nil {
		return "", err
	}
	return eachManifest(manifests, func(m Manifest) (string, error) {
		if err := k.add(c, m.Object.Copy(), "created"); err != nil {
			return "", sourced("creating", err)
		}
		return c.said(m.Object.Key(), "created"), nil
	})
}

// sourced says where an object comes from that the server refuses.
func sourced(doing string, err error) error {
	refused, ok := err.(*api.StatusError)
	if !ok || refused.Reason == api.ReasonInvalid {
		return err
	}
	return &api.StatusError{Reason: refused.Reason, Message: fmt.Sprintf("error when %s \"STDIN\": %s", doing, refused.Message)}
}

// eachManifest does something for every object of a manifest, also after one failed.
func eachManifest(manifests []Manifest, do func(Manifest) (string, error)) (string, error) {
	var p partial
	for _, m := range manifests {
		line, err := do(m)
		if err != nil {
			p.failed = append(p.failed, err)
		} else {
			p.done = append(p.done, line)
		}
	}
	if len(p.failed) > 0 {
		return "", &p
	}
	return strings.Join(p.done, "\n"), nil
}

// onlyName returns the one word behind a verb that creates something.
func (c *command) onlyName() (string, error) {
	if len(c.rest) != 1 {
		return "", fmt.Errorf("exactly one NAME is required, got %d\nSee 'kubectl %s -h' for help and examples", len(c.rest), c.verb)
	}
	return c.rest[0], nil
}

// createDeployment creates a Deployment with the label app (create_deployment.go:createDeployment).
func (k *Kubectl) createDeployment(c *command) (string, error) {
	if c.flags["image"] == "" {
		return "", errors.New(`required flag(s) "image" not set`)
	}
	name, err := c.onlyName()
	if err != nil {
		return "", err
	}
	replicas := int64(1)
	if text := c.flags["replicas"]; text != "" {
		if replicas, err = strconv.ParseInt(text, 10, 32); err != nil {
			return "", fmt.Errorf("invalid argument %q for %q flag: %w", text, "-r, --replicas", err)
		}
	}
	containers, err := c.newContainers()
	if err != nil {
		return "", err
	}
	labels := map[string]any{"app": name}
	return k.createTree(c, api.KindDeployment, "deployment", map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": name, "namespace": c.namespace, "labels": labels},
		"spec": map[string]any{"replicas": replicas, "selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": containers}}},
	})
}

// newContainers makes a container of every image, named as the image.
//
// Simplified: of a name with a dot or underscore upstream makes one with five random letters behind it; here it has none.
func (c *command) newContainers() ([]any, error) {
	var list []any
	for image := range strings.SplitSeq(strings.ReplaceAll(c.flags["image"], separator, ","), ",") {
		name := image[strings.LastIndexByte(image, '/')+1:]
		name, _, _ = strings.Cut(name, ":")
		name, _, _ = strings.Cut(name, "@")
		list = append(list, map[string]any{"name": strings.NewReplacer("_", "-", ".", "-").Replace(name), "image": image})
	}
	if text := c.flags["port"]; text != "" {
		port, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("invalid argument %q for %q flag: %w", text, "--port", err)
		}
		if port >= 0 {
			list[0].(map[string]any)["ports"] = []any{map[string]any{"containerPort": port}}
		}
	}
	return list, nil
}

// createQuota creates a ResourceQuota (create_quota.go:createQuota).
func (k *Kubectl) createQuota(c *command) (string, error) {
	name, err := c.onlyName()
	if err != nil {
		return "", err
	}
	hard, err := parseResources(c.flags["hard"], "Invalid")
	if err != nil {
		return "", err
	}
	return k.createTree(c, api.KindResourceQuota, "quota", map[string]any{
		"apiVersion": "v1", "kind": "ResourceQuota", "metadata": map[string]any{"name": name, "namespace": c.namespace},
		"spec": map[string]any{"hard": hard},
	})
}

// createBudget creates a PodDisruptionBudget (create_pdb.go:Validate, createPodDisruptionBudgets).
func (k *Kubectl) createBudget(c *command) (string, error) {
	name, err := c.onlyName()
	if err != nil {
		return "", err
	}
	low, high := c.flags["min-available"], c.flags["max-unavailable"]
	switch {
	case c.flags["selector"] == "":
		return "", errors.New("a selector must be specified")
	case low == "" && high == "":
		return "", errors.New("one of min-available or max-unavailable must be specified")
	case low != "" && high != "":
		return "", errors.New("min-available and max-unavailable cannot be both specified")
	case low != "" && !isAmount(low):
		return "", errors.New("invalid format specified for min-available")
	case high != "" && !isAmount(high):
		return "", errors.New("invalid format specified for max-unavailable")
	}
	budget := &api.PodDisruptionBudget{}
	budget.Namespace, budget.Name = c.namespace, name
	budget.Spec.Selector = c.selector.inObject()
	if low != "" {
		budget.Spec.MinAvailable = numberOrText(low)
	} else {
		budget.Spec.MaxUnavailable = numberOrText(high)
	}
	decode.Default(budget)
	return k.createObject(c, budget, "poddisruptionbudgets")
}

// isAmount says whether a text is 10 or 30%.
func isAmount(text string) bool {
	digits := strings.TrimSuffix(text, "%")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// numberOrText reads 10 as a number, and 30% as it is.
func numberOrText(text string) *api.IntOrString {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		return api.Int(int32(n))
	}
	return api.Str(text)
}

// inObject returns a selector as an object has it: what is equal to a value among the labels.
func (s *selector) inObject() *api.LabelSelector {
	out := &api.LabelSelector{}
	if s == nil {
		return out
	}
	for i, r := range s.requirements.MatchExpressions {
		if !s.equal[i] {
			slices.Sort(r.Values)
			out.MatchExpressions = append(out.MatchExpressions, r)
			continue
		}
		if out.MatchLabels == nil {
			out.MatchLabels = map[string]string{}
		}
		out.MatchLabels[r.Key] = r.Values[0]
	}
	return out
}

// createTree creates an object that a command has put together as a tree.
func (k *Kubectl) createTree(c *command, kind api.Kind, what string, tree map[string]any) (string, error) {
	text, err := json.Marshal(tree)
	if err != nil {
		return "", err
	}
	o, issues := decode.JSON(kind, text)
	if len(issues) > 0 {
		return "", errors.New(decode.Message(issues))
	}
	return k.createObject(c, o, what)
}

// createObject creates an object that a command has put together. What the server says against it is no answer of the server
// any more, but an error of the command.
func (k *Kubectl) createObject(c *command, o api.Object, what string) (string, error) {
	key := o.Key()
	if errs := validate.Object(o); len(errs) > 0 && c.dry != dryClient {
		return "", fmt.Errorf("failed to create %s: %s", what, errs.Message(key.Kind, key.Name))
	}
	if err := k.add(c, o, "created"); err != nil {
		return "", fmt.Errorf("failed to create %s: %w", what, err)
	}
	return c.said(key, "created"), nil
}
