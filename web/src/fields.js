// @ts-check
// Completion and hover in the editor. The fields of kind Scenario and kind Policy, with their types and sentences, come from the JSON
// Schema that the build writes; those of Kubernetes are a small table of what a rollout is about, by the field that they stand under.
import { hoverTooltip } from "@codemirror/view";

/** @typedef {import("@codemirror/autocomplete").CompletionContext} CompletionContext */
/** @typedef {import("@codemirror/autocomplete").CompletionResult} CompletionResult */
/** @typedef {import("@codemirror/state").Text} Text */

/**
 * A part of the JSON Schema. What begins with x- is rollplay's own.
 * @typedef {{
 *   description?: string, "x-zh"?: string, "x-type"?: string, "x-default"?: string, "x-since"?: string, "x-kinds"?: Record<string, string[]>,
 *   properties?: Record<string, Schema>, items?: Schema, anyOf?: Schema[], allOf?: Schema[], $ref?: string, $defs?: Record<string, Schema>, enum?: unknown[],
 * }} Schema
 */

/** @type {Record<string, string[]>} */
const fields = {
  "": ["apiVersion", "kind", "metadata", "spec"],
  metadata: ["name", "namespace", "labels", "annotations"],
  spec: [
    "replicas", "selector", "template", "strategy", "minReadySeconds", "progressDeadlineSeconds", "revisionHistoryLimit", "paused",
    "updateStrategy", "serviceName", "podManagementPolicy", "volumeClaimTemplates", "ordinals", "persistentVolumeClaimRetentionPolicy",
    "minAvailable", "maxUnavailable", "unhealthyPodEvictionPolicy", "scaleTargetRef", "minReplicas", "maxReplicas", "metrics", "behavior",
    "nodeSelector", "tolerations", "affinity", "containers", "initContainers", "terminationGracePeriodSeconds",
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
};
fields.livenessProbe = fields.startupProbe = fields.readinessProbe;
fields.initContainers = fields.containers;

/** @type {Record<string, string[]>} */
const values = { type: ["RollingUpdate", "Recreate"], paused: ["true", "false"] };

// Under spec stand a workload's and a pod's fields; parents say whose spec it is.
const podSpec = new Set(["containers", "initContainers", "terminationGracePeriodSeconds", "nodeSelector", "tolerations", "affinity"]);

/** @type {Promise<Schema> | undefined} */
let loading;

// schema loads the JSON Schema when it is first needed. Without it, there is no help with rollplay's own documents.
function schema() {
  loading ??= fetch(new URL("schema/rollplay-v1alpha1.json", document.baseURI)).then((response) => (response.ok ? response.json() : {}), () => ({}));
  return loading;
}

/**
 * @param {CompletionContext} context
 * @returns {Promise<CompletionResult | null>}
 */
export async function fieldNames(context) {
  const { doc } = context.state;
  const line = doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const value = /^(\s*(?:- )?)(\w+): ["']?([\w/.-]*)$/.exec(before);
  const name = /^(\s*(?:- )?)(\w*)$/.exec(before);
  if (!value && (!name || (name[2] === "" && !context.explicit))) return null;
  const all = await schema();
  const kind = kindOf(doc, line.number);
  if (value) {
    const field = fieldAt(all, kind, [value[2], ...parents(doc, line.number, value[1].length)]);
    return options(valuesOf(all, value[2], field), context.pos - value[3].length, /^[\w/.-]*$/);
  }
  if (!name) return null;
  const path = parents(doc, line.number, name[1].length);
  const own = objectAt(all, kind, path)?.properties;
  if (own) {
    const list = Object.entries(own).map(([label, field]) => ({ label, apply: label + ": ", type: "property", detail: field["x-type"], info: sentence(field) }));
    return { from: context.pos - name[2].length, options: list, validFor: /^\w*$/ };
  }
  return options(namesUnder(path)?.map((label) => label + ": "), context.pos - name[2].length, /^\w*$/);
}

/**
 * @param {string[] | undefined} names
 * @param {number} from
 * @param {RegExp} validFor
 */
function options(names, from, validFor) {
  if (!names) return null;
  return { from, options: names.map((apply) => ({ label: apply.replace(/: $/, ""), apply, type: "property" })), validFor };
}

/**
 * @param {Schema} all
 * @param {string} name
 * @param {Schema | undefined} field
 */
function valuesOf(all, name, field) {
  const kinds = all["x-kinds"] ?? {};
  if (name === "kind") return Object.values(kinds).flat();
  if (name === "apiVersion") return Object.keys(kinds);
  return field?.enum?.map(String) ?? (field ? undefined : values[name]);
}

/** @param {string[]} path */
function namesUnder(path) {
  const parent = path[0] ?? "";
  if (parent !== "spec") return fields[parent];
  return fields.spec.filter((f) => podSpec.has(f) === (path[1] === "template"));
}

// objectAt follows a path of keys, innermost first, through the schema of a kind.
/**
 * @param {Schema} all
 * @param {string} kind
 * @param {string[]} path
 */
function objectAt(all, kind, path) {
  let object = kind === "Scenario" || kind === "Policy" ? all.$defs?.[kind] : undefined;
  for (const key of [...path].reverse()) object = objectOf(all, object?.properties?.[key]);
  return object;
}

/**
 * @param {Schema} all
 * @param {string} kind
 * @param {string[]} path
 */
const fieldAt = (all, kind, path) => objectAt(all, kind, path.slice(1))?.properties?.[path[0]];

// objectOf returns the object that a field holds, or the entries of its list.
/**
 * @param {Schema} all
 * @param {Schema | undefined} field
 * @returns {Schema | undefined}
 */
function objectOf(all, field) {
  if (!field) return undefined;
  if (field.$ref) return all.$defs?.[field.$ref.slice("#/$defs/".length)];
  for (const part of [field.items, ...(field.allOf ?? []), ...[...(field.anyOf ?? [])].reverse()]) {
    const object = objectOf(all, part);
    if (object) return object;
  }
  return undefined;
}

/** @param {Schema} field */
const sentence = (field) => (document.documentElement.lang.startsWith("zh") ? field["x-zh"] : field.description) ?? "";

// explained shows what a field means when the pointer rests on its name.
export const explained = hoverTooltip(async (view, pos) => {
  const { doc } = view.state;
  const line = doc.lineAt(pos);
  const key = /^(\s*(?:- )?)["']?(\w+)["']?:/.exec(line.text);
  if (!key || pos < line.from + key[1].length || pos > line.from + key[0].length) return null;
  const field = fieldAt(await schema(), kindOf(doc, line.number), [key[2], ...parents(doc, line.number, key[1].length)]);
  if (!field) return null;
  return {
    pos: line.from + key[1].length, end: line.from + key[0].length, above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-field";
      const type = dom.appendChild(document.createElement("code"));
      type.textContent = `${key[2]}: ${field["x-type"]}` + (field["x-default"] ? ` = ${field["x-default"]}` : "");
      dom.appendChild(document.createElement("div")).textContent = sentence(field);
      return { dom };
    },
  };
});

// parents lists the keys above a line, innermost first: those of ever smaller indentation.
/**
 * @param {Text} doc
 * @param {number} number
 * @param {number} indent
 */
function parents(doc, number, indent) {
  const path = [];
  for (let n = number - 1; n >= 1 && indent > 0; n--) {
    const text = doc.line(n).text;
    if (text.startsWith("---")) break;
    const key = /^(\s*(?:- )?)["']?([\w.-]+)["']?:/.exec(text);
    if (!key || key[1].length >= indent) continue;
    path.push(key[2]);
    indent = key[1].length;
  }
  return path;
}

// kindOf returns the kind of the document around a line.
/**
 * @param {Text} doc
 * @param {number} number
 */
function kindOf(doc, number) {
  let first = number;
  while (first > 1 && !doc.line(first).text.startsWith("---")) first--;
  for (let n = first; n <= doc.lines; n++) {
    const text = doc.line(n).text;
    if (n > number && text.startsWith("---")) break;
    const kind = /^["']?kind["']?: *["']?(\w+)/.exec(text);
    if (kind) return kind[1];
  }
  return "";
}
