// Completion of field names: a small table of what a rollout is about, by the field that they stand under.
const fields = {
  "": ["apiVersion", "kind", "metadata", "spec"],
  metadata: ["name", "namespace", "labels", "annotations"],
  spec: [
    "replicas", "selector", "template", "strategy", "minReadySeconds", "progressDeadlineSeconds", "revisionHistoryLimit", "paused",
    "updateStrategy", "serviceName", "podManagementPolicy", "volumeClaimTemplates", "ordinals", "persistentVolumeClaimRetentionPolicy",
    "minAvailable", "maxUnavailable", "unhealthyPodEvictionPolicy", "scaleTargetRef", "minReplicas", "maxReplicas", "metrics", "behavior",
    "nodeSelector", "tolerations", "affinity", "containers", "initContainers", "terminationGracePeriodSeconds", "title", "question", "lesson", "fields", "links", "seed",
    "draws", "version", "duration", "nodes", "nodeGroups", "images", "load", "timeline", "captions", "expect", "goal", "try",
  ],
  strategy: ["type", "rollingUpdate"],
  rollingUpdate: ["maxSurge", "maxUnavailable", "partition"],
  updateStrategy: ["type", "rollingUpdate"],
  tolerations: ["key", "operator", "value", "effect", "tolerationSeconds"],
  selector: ["matchLabels", "matchExpressions"],
  template: ["metadata", "spec"],
  containers: ["name", "image", "ports", "env", "resources", "readinessProbe", "livenessProbe", "startupProbe", "lifecycle"],
  ports: ["containerPort", "name", "protocol"],
  env: ["name", "value"],
  resources: ["requests", "limits"],
  requests: ["cpu", "memory"],
  limits: ["cpu", "memory"],
  readinessProbe: ["httpGet", "initialDelaySeconds", "periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold"],
  httpGet: ["path", "port", "scheme"],
  lifecycle: ["preStop", "postStart"],
  nodes: ["count", "cpu", "memory", "pods", "name", "zone", "labels", "taints"],
  nodeGroups: ["name", "min", "max", "boot", "idle", "cpu", "memory", "pods", "zone", "labels", "taints"],
  images: ["match", "pull", "start", "ready", "stop", "crash", "exitCode"],
  timeline: ["at", "run", "apply", "do"],
  captions: ["at", "text", "ask"],
  ask: ["at", "of", "from", "field", "lowest", "highest", "choices"],
  choices: ["text", "is"],
  goal: ["text", "by", "from", "commands", "without", "extra"],
  try: ["from", "to", "at", "text", "expect"],
  load: ["of", "at", "cpu"],
  title: ["en", "zh"],
  lesson: ["zh"],
  links: ["title", "url"],
  expect: [
    "at", "of", "desired", "total", "ready", "available", "updated", "terminating", "sizes", "from", "to", "max", "min", "run", "contains",
  ],
  max: ["desired", "total", "ready", "available", "updated", "terminating"],
};
fields.livenessProbe = fields.startupProbe = fields.readinessProbe;
fields.initContainers = fields.containers;
fields.question = fields.text = fields.title;
fields.min = fields.max;

const values = {
  kind: ["Deployment", "Scenario"],
  apiVersion: ["apps/v1", "rollplay/v1alpha1"],
  type: ["RollingUpdate", "Recreate"],
  paused: ["true", "false"],
  draws: ["keyed", "ordered"],
};

// Under spec stand a Deployment's, a pod's and a Scenario's fields; parents say whose spec it is.
const podSpec = new Set(["containers", "initContainers", "terminationGracePeriodSeconds", "nodeSelector", "tolerations", "affinity"]);
const scenarioSpec = new Set([
  "title", "question", "lesson", "fields", "links", "version", "seed", "draws", "duration", "nodes", "nodeGroups", "images", "load", "timeline", "captions", "expect", "goal", "try",
]);

export function fieldNames(context) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const value = /^\s*(?:- )?(\w+): (\w*)$/.exec(before);
  if (value) return options(values[value[1]], context.pos - value[2].length, "");
  const name = /^(\s*(?:- )?)(\w*)$/.exec(before);
  if (!name || (name[2] === "" && !context.explicit)) return null;
  const path = parents(context.state.doc, line.number, name[1].length);
  return options(namesUnder(path, kindOf(context.state.doc, line.number)), context.pos - name[2].length, ": ");
}

function options(names, from, after) {
  if (!names) return null;
  return { from, options: names.map((label) => ({ label, apply: label + after, type: "property" })), validFor: /^\w*$/ };
}

function namesUnder(path, kind) {
  const parent = path[0] ?? "";
  if (parent !== "spec") return fields[parent];
  const keep = kind === "Scenario"
    ? (f) => scenarioSpec.has(f)
    : (f) => !scenarioSpec.has(f) && podSpec.has(f) === (path[1] === "template");
  return fields.spec.filter(keep);
}

// parents lists the keys above a line, innermost first: those of ever smaller indentation.
function parents(doc, number, indent) {
  const path = [];
  for (let n = number - 1; n >= 1 && indent > 0; n--) {
    const text = doc.line(n).text;
    if (text.startsWith("---")) break;
    const key = /^(\s*(?:- )?)([\w.-]+):/.exec(text);
    if (!key || key[1].length >= indent) continue;
    path.push(key[2]);
    indent = key[1].length;
  }
  return path;
}

function kindOf(doc, number) {
  for (let n = number; n >= 1; n--) {
    const text = doc.line(n).text;
    if (text.startsWith("---")) break;
    if (text.startsWith("kind:")) return text.slice(5).trim();
  }
  return "";
}
