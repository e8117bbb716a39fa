// @ts-check
// The remark plugin for MDX, as in Docusaurus: it puts an embed above each code block in the language "rollplay", when the page is
// built. The block stays, and is highlighted as YAML. Options stand behind the language: ```rollplay panels="why,pods" height=480
import { options } from "./element.js";

export default function remarkRollplay() {
  return (/** @type {Node} */ tree) => visit(tree);
}

/**
 * A node of the Markdown tree, as far as the plugin reads it.
 * @typedef {{ type: string, lang?: string, meta?: string | null, value?: string, children?: Node[], name?: string, attributes?: object[] }} Node
 */

/** @param {Node} parent */
function visit(parent) {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    visit(node);
    if (node.type !== "code" || node.lang !== "rollplay") return [node];
    return [embed(node), { ...node, lang: "yaml", meta: null }];
  });
}

/** @param {Node} code */
function embed(code) {
  const attributes = [["yaml", code.value], ...settings(code.meta ?? "")];
  return {
    type: "mdxJsxFlowElement",
    name: "rollplay-embed",
    attributes: attributes.map(([name, value]) => ({ type: "mdxJsxAttribute", name, value })),
    children: [],
  };
}

/**
 * settings reads name=value, name="a value" and name. It leaves out unknown names.
 * @param {string} meta
 */
function settings(meta) {
  const all = [...meta.matchAll(/([a-z]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g)];
  return all.map(([, name, ...values]) => [name, values.find((v) => v !== undefined) ?? ""]).filter(([name]) => options.includes(name));
}
