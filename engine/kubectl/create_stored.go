package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// createData returns what creates a ConfigMap or a Secret (create_configmap.go:createConfigMap, create_secret.go:createSecret).
func createData(kind api.Kind, encode func(string) string) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		data, err := c.literals(string(kind), encode)
		if err != nil {
			return err
		}
		if of := c.Flags["type"]; of != "" {
			data["type"] = of
		}
		return k.createFields(c, kind, kinds.Of(kind).Singular(), nil, data)
	}
}

// literals reads --from-literal as the field data, which is not there if it has nothing.
func (c *command) literals(kind string, encode func(string) string) (fields map[string]any, err error) {
	fields = map[string]any{}
	given := c.Flags["from-literal"]
	if given == "" {
		return fields, nil
	}
	data := map[string]any{}
	for pair := range strings.SplitSeq(given, line.Separator) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("invalid literal source %v, expected key=value", pair)
		}
		if _, taken := data[key]; taken {
			return nil, fmt.Errorf("cannot add key %q, another key by that name already exists in Data for %s %q", key, kind, c.Rest[0])
		}
		if n := len(value); n > 1 && value[0] == value[n-1] && strings.IndexByte(`"'`, value[0]) >= 0 {
			value = value[1 : n-1]
		}
		data[key] = encode(value)
	}
	fields["data"] = data
	return fields, nil
}

// createJob creates a Job (create_job.go:createJob).
func (k *Kubectl) createJob(c *command) error {
	if c.Flags["image"] == "" {
		return errors.New("either --image or --from must be specified")
	}
	return k.createTree(c, "Job", "job", nil, c.jobSpec("Never"))
}

// createCronJob creates a CronJob (create_cronjob.go:createCronJob).
func (k *Kubectl) createCronJob(c *command) error {
	for _, name := range []string{"image", "schedule"} {
		if c.Flags[name] == "" {
			return fmt.Errorf("required flag(s) %q not set", name)
		}
	}
	job := map[string]any{"metadata": map[string]any{"name": c.Rest[0]}, "spec": c.jobSpec(cmp.Or(c.Flags["restart"], "OnFailure"))}
	return k.createTree(c, "CronJob", "cronjob", nil, map[string]any{"schedule": c.Flags["schedule"], "jobTemplate": job})
}

// jobSpec returns the spec of a Job with one container.
func (c *command) jobSpec(restart string) map[string]any {
	container := map[string]any{"name": c.Rest[0], "image": c.Flags["image"], "resources": map[string]any{}}
	if len(c.Rest) > 1 {
		container["command"] = c.Rest[1:]
	}
	return map[string]any{"template": map[string]any{"metadata": map[string]any{},
		"spec": map[string]any{"containers": []any{container}, "restartPolicy": restart}}}
}
