package kubectl

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/scenario"
)

// create creates the objects that create or replace --force is given (K-35). Unlike apply it keeps no manifest, unless that has one.
func (k *Kubectl) create(c *command, manifests []scenario.Manifest) error {
	return forEach(c, manifests, func(m scenario.Manifest) (string, error) {
		o, what := api.Copy(m.Object), c.Verb+"d"
		c.keepApplied(o, m)
		err := k.add(c, o, what)
		if refused, ok := err.(*api.StatusError); ok && refused.Reason == api.ReasonAlreadyExists && o.Meta().GenerateName != "" {
			refused.Message += ", the server was not able to generate a unique name for the object"
		}
		if c.Verb == "create" {
			err = c.sourced("creating", err)
		}
		return c.saidUnless(err, m.Object.Key(), what)
	})
}

// createDeployment creates a Deployment with the label app (create_deployment.go:createDeployment).
func (k *Kubectl) createDeployment(c *command) error {
	name := c.Rest[0]
	labels, containers := map[string]any{"app": name}, c.newContainers()
	if len(c.Rest) > 1 && len(containers) > 1 {
		return errors.New("cannot specify multiple --image options and command")
	} else if len(c.Rest) > 1 && len(containers) == 1 {
		containers[0].(map[string]any)["command"] = c.Rest[1:]
	}
	return k.createTree(c, api.KindDeployment, "deployment", labels, map[string]any{
		"replicas": c.Int("replicas", 1), "selector": map[string]any{"matchLabels": labels}, "strategy": map[string]any{},
		"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": containers}},
	})
}

// newContainers makes a container of every image, named as the image.
//
// Simplified: of a name with a dot or underscore upstream makes one with five random letters behind it; here it has none.
func (c *command) newContainers() []any {
	list := []any{}
	if c.Flags["image"] == "" {
		return list
	}
	for image := range strings.SplitSeq(strings.ReplaceAll(c.Flags["image"], line.Separator, ","), ",") {
		name := image[strings.LastIndexByte(image, '/')+1:]
		name, _, _ = strings.Cut(name, ":")
		name, _, _ = strings.Cut(name, "@")
		list = append(list, newContainer(strings.NewReplacer("_", "-", ".", "-").Replace(name), image, nil))
	}
	if port := c.Int("port", -1); port >= 0 {
		list[0].(map[string]any)["ports"] = []any{map[string]any{"containerPort": port}}
	}
	return list
}

func newContainer(name, image string, command []string) map[string]any {
	c := map[string]any{"name": name, "image": image, "resources": map[string]any{}}
	if len(command) > 0 {
		c["command"] = command
	}
	return c
}

// createQuota creates a ResourceQuota (create_quota.go:createQuota).
func (k *Kubectl) createQuota(c *command) error {
	hard, err := parseResources(c.Flags["hard"], "Invalid")
	if err != nil {
		return err
	}
	spec := map[string]any{}
	if len(hard) > 0 {
		spec["hard"] = hard
	}
	return k.createTree(c, api.KindResourceQuota, "quota", nil, spec)
}

// createBudget creates a PodDisruptionBudget (create_pdb.go:Validate, createPodDisruptionBudgets).
func (k *Kubectl) createBudget(c *command) error {
	low, high := c.Flags["min-available"], c.Flags["max-unavailable"]
	spec := map[string]any{}
	switch {
	case c.Flags["selector"] == "":
		return errors.New("a selector must be specified")
	case low == "" && high == "":
		return errors.New("one of min-available or max-unavailable must be specified")
	case low != "" && high != "":
		return errors.New("min-available and max-unavailable cannot be both specified")
	case low != "" && !isAmount(low):
		return errors.New("invalid format specified for min-available")
	case high != "" && !isAmount(high):
		return errors.New("invalid format specified for max-unavailable")
	case c.BadSelector != nil:
		return c.BadSelector
	case low != "":
		spec["minAvailable"] = numberOrText(low)
	default:
		spec["maxUnavailable"] = numberOrText(high)
	}
	var err error
	if spec["selector"], err = c.Selector.InObject(); err != nil {
		return err
	}
	return k.createTree(c, api.KindPodDisruptionBudget, "poddisruptionbudgets", nil, spec)
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

// runPod creates a pod with the label run (run.go:Complete, Validate, createPod).
func (k *Kubectl) runPod(c *command) error {
	labels, err := parseLabels(c.Flags["labels"])
	env, err2 := variables(c.Flags["env"])
	port, err3 := strconv.Atoi(cmp.Or(c.Flags["port"], "0"))
	switch {
	case cmp.Or(err, err2) != nil:
		return cmp.Or(err, err2)
	case len(c.Rest) == 0:
		return errors.New("NAME is required for run")
	case c.Flags["image"] == "":
		return errors.New("--image is required")
	case !api.IsImage(c.Flags["image"]):
		return fmt.Errorf("invalid image name %q: invalid reference format", c.Flags["image"])
	case err3 != nil:
		return errors.New("--port must be a number")
	case labels == nil:
		labels = map[string]any{"run": c.Rest[0]}
	}
	container := newContainer(c.Rest[0], c.Flags["image"], nil)
	if len(c.Rest) > 1 && c.On("command") {
		container["command"] = c.Rest[1:]
	} else if len(c.Rest) > 1 {
		container["args"] = c.Rest[1:]
	}
	if c.Flags["port"] != "" {
		container["ports"] = []any{map[string]any{"containerPort": int32(port)}}
	}
	if env != nil {
		container["env"] = env
	}
	return k.createTree(c, api.KindPod, "", labels, map[string]any{"containers": []any{container}, "dnsPolicy": "ClusterFirst",
		"restartPolicy": cmp.Or(c.Flags["restart"], "Always")})
}

// variables reads the values of --env of kubectl run (run.go:parseEnvs).
func variables(given string) (env []any, err error) {
	for pair := range strings.SplitSeq(given, line.Separator) {
		name, value, ok := strings.Cut(pair, "=")
		switch {
		case given == "":
		case !ok, line.CheckVariable(name) != nil:
			return nil, errors.New("invalid env: " + pair)
		default:
			env = append(env, map[string]any{"name": name, "value": value})
		}
	}
	return env, nil
}

// createTree creates an object that a command has put together as a tree: its labels and its spec.
func (k *Kubectl) createTree(c *command, kind api.Kind, what string, labels, spec map[string]any) error {
	status := kinds.Of(kind).EmptyStatus()
	if status == nil {
		status = map[string]any{}
	}
	return k.createFields(c, kind, what, labels, map[string]any{"spec": spec, "status": status})
}

// createFields does the same with all fields. It adds to the metadata.
func (k *Kubectl) createFields(c *command, kind api.Kind, what string, labels, tree map[string]any) error {
	metadata, namespace := api.Fields(tree).Make("metadata"), c.NamespaceOf(kind)
	if metadata["name"] = c.Rest[0]; labels != nil {
		metadata["labels"] = labels
	}
	if c.Flags["namespace"] != "" && namespace != "" {
		metadata["namespace"] = namespace
	}
	tree["apiVersion"], tree["kind"] = kinds.Of(kind).APIVersion(), string(kind)
	if c.Dry == line.DryClient {
		c.draft = tree
	}
	o, issues := decode.JSON(kind, api.JSON(tree))
	if len(issues) > 0 {
		return errors.New(decode.Message(issues))
	}
	o.Meta().Namespace = namespace
	if err := json.Unmarshal(api.JSON(metadata["ownerReferences"]), &o.Meta().OwnerReferences); err != nil { // which no manifest may have here
		return err
	}
	failed := "failed to create " + what + ": "
	if kind == "Secret" {
		failed = "failed to create secret "
	}
	if errs := validate.Object(o); what != "" && len(errs) > 0 && c.Dry != line.DryClient {
		return errors.New(failed + errs.Message(kind, c.Rest[0]))
	}
	if err := k.add(c, o, "created"); err != nil && what == "" {
		return err
	} else if err != nil {
		return errors.New(failed + err.Error())
	}
	c.print(c.said(o.Key(), map[bool]string{false: "created", true: "exposed"}[c.Verb == "expose"]))
	return nil
}

// createJob creates a Job, or that of a CronJob (create_job.go:createJob, createJobFromCronJob).
func (k *Kubectl) createJob(c *command) error {
	from := c.Flags["from"]
	switch {
	case (from == "") == (c.Flags["image"] == ""):
		return errors.New("either --image or --from must be specified")
	case from == "":
		return k.createTree(c, "Job", "job", nil, c.jobSpec("Never"))
	case len(c.Rest) > 1:
		return errors.New("cannot specify --from and command")
	}
	word, name, named := strings.Cut(from, "/")
	kind, err := line.FindKind(word)
	if err == nil && !named {
		err = errors.New("resource(s) were provided, but no name was specified")
	}
	if err != nil {
		return err
	}
	cron, err := k.find(c, api.Key{Kind: kind, Namespace: c.NamespaceOf(kind), Name: name})
	if err == nil && kind != "CronJob" {
		err = fmt.Errorf("unknown object type *%s.%s", kinds.Of(kind).Version, kind)
	}
	if err != nil {
		return err
	}
	template := api.Fields(api.Tree(cron)).Object("spec").Object("jobTemplate")
	metadata, spec := template.Object("metadata"), template.Object("spec")
	pods := spec.Object("template")
	pods.SetAbsent("metadata", map[string]any{}) // as kubectl's own types print it
	for _, c := range api.ContainersOf(pods.Object("spec")) {
		c.SetAbsent("resources", map[string]any{})
	}
	annotations := map[string]any{"cronjob.kubernetes.io/instantiate": "manual"}
	maps.Copy(annotations, metadata.Object("annotations"))
	labels, _ := metadata["labels"].(map[string]any)
	return k.createFields(c, "Job", "job", labels, map[string]any{"spec": map[string]any(spec), "status": map[string]any{},
		"metadata": map[string]any{"annotations": annotations, "ownerReferences": []any{map[string]any{
			"apiVersion": kinds.Of(kind).APIVersion(), "kind": string(kind), "name": name, "uid": cron.Meta().UID, "controller": true}}}})
}

// createCronJob creates a CronJob (create_cronjob.go:createCronJob).
func (k *Kubectl) createCronJob(c *command) error {
	job := map[string]any{"metadata": map[string]any{"name": c.Rest[0]}, "spec": c.jobSpec(cmp.Or(c.Flags["restart"], "OnFailure"))}
	return k.createTree(c, "CronJob", "cronjob", nil, map[string]any{"schedule": c.Flags["schedule"], "jobTemplate": job})
}

func (c *command) jobSpec(restart string) map[string]any {
	containers := []any{newContainer(c.Rest[0], c.Flags["image"], c.Rest[1:])}
	return map[string]any{"template": map[string]any{"metadata": map[string]any{},
		"spec": map[string]any{"containers": containers, "restartPolicy": restart}}}
}
