package decode

import (
	"github.com/rollplay/rollplay/engine/api"
)

// defaultPodSpec fills in a pod spec as the API server does in every template and pod, so that writing a default out
// does not change the template. See ResourceRequirements.Request for a default that pods alone have.
//
// Simplified: nothing is filled in for volumes of four rare drivers (iscsi, rbd, azureDisk, scaleIO).
func defaultPodSpec(spec api.Fields) {
	// serviceAccount is the old name of serviceAccountName; the two are kept alike.
	if name, ok := spec["serviceAccount"]; ok {
		setZero(spec, "serviceAccountName", name)
	}
	if name, ok := spec["serviceAccountName"]; ok {
		spec["serviceAccount"] = name
	}
	setZero(spec, "dnsPolicy", "ClusterFirst")
	setZero(spec, "restartPolicy", "Always")
	setZero(spec, "schedulerName", "default-scheduler")
	spec.SetAbsent("securityContext", map[string]any{})
	spec.SetAbsent("terminationGracePeriodSeconds", int64(30))
	for _, v := range spec.Items("volumes") {
		defaultVolume(v)
	}
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, c := range spec.Items(list) {
			defaultContainer(c)
		}
	}
}

func defaultContainer(c api.Fields) {
	image, _ := c["image"].(string)
	setZero(c, "imagePullPolicy", pullPolicy(image))
	setZero(c, "terminationMessagePath", "/dev/termination-log")
	setZero(c, "terminationMessagePolicy", "File")
	for _, p := range c.Items("ports") {
		setZero(p, "protocol", "TCP")
	}
	for _, e := range c.Items("env") {
		from := e.Object("valueFrom")
		defaultFieldRef(from)
		from.Object("fileKeyRef").SetAbsent("optional", false)
	}
	for _, name := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		defaultProbe(c.Object(name))
	}
	hooks := c.Object("lifecycle")
	defaultHTTPGet(hooks.Object("postStart").Object("httpGet"))
	defaultHTTPGet(hooks.Object("preStop").Object("httpGet"))
}

func defaultProbe(p api.Fields) {
	setZero(p, "timeoutSeconds", int64(1))
	setZero(p, "periodSeconds", int64(10))
	setZero(p, "successThreshold", int64(1))
	setZero(p, "failureThreshold", int64(3))
	defaultHTTPGet(p.Object("httpGet"))
	p.Object("grpc").SetAbsent("service", "")
}

func defaultHTTPGet(h api.Fields) {
	setZero(h, "path", "/")
	setZero(h, "scheme", "HTTP")
}

func defaultFieldRef(source api.Fields) {
	setZero(source.Object("fieldRef"), "apiVersion", "v1")
}

func defaultVolume(v api.Fields) {
	sources := len(v)
	if _, ok := v["name"]; ok {
		sources--
	}
	if sources == 0 {
		v["emptyDir"] = map[string]any{}
	}
	for _, name := range []string{"configMap", "secret", "projected", "downwardAPI"} {
		v.Object(name).SetAbsent("defaultMode", int64(0o644))
	}
	v.Object("hostPath").SetAbsent("type", "")
	if image := v.Object("image"); image != nil {
		reference, _ := image["reference"].(string)
		setZero(image, "pullPolicy", pullPolicy(reference))
	}
	if claim := v.Object("ephemeral").Object("volumeClaimTemplate"); claim != nil {
		claim.SetAbsent("spec", map[string]any{})
		claim.Object("spec").SetAbsent("volumeMode", "Filesystem")
	}
	for _, item := range v.Object("downwardAPI").Items("items") {
		defaultFieldRef(item)
	}
	for _, source := range v.Object("projected").Items("sources") {
		for _, item := range source.Object("downwardAPI").Items("items") {
			defaultFieldRef(item)
		}
		source.Object("serviceAccountToken").SetAbsent("expirationSeconds", int64(3600))
	}
}

// pullPolicy is Always for the tag latest, written or meant, and IfNotPresent for any other tag and for a digest
// . A reference that cannot be read has no tag at all for the API server.
func pullPolicy(image string) string {
	parts := api.SplitImage(image)
	if latest := parts.Tag == "latest" || parts.Tag+parts.Digest == ""; latest && api.CheckImage(image) == nil {
		return "Always"
	}
	return "IfNotPresent"
}

// setZero sets a field that is absent or zero: for fields that are no pointers. For pointers there is SetAbsent.
func setZero(tree api.Fields, name string, value any) {
	if v := tree[name]; tree != nil && (v == nil || v == "" || v == int64(0)) {
		tree[name] = value
	}
}
