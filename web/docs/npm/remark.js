// The remark plugin for MDX, as in Docusaurus: it puts an embed above each code block in the language "rollplay", when the page is
// built. The block stays, and is highlighted as YAML. Options stand behind the language: ```rollplay panels="why,pods" height=480
import { options } from "./element.js";

export default function remarkRollplay() {
  return (tree) => visit(tree);
}

function visit(parent) {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    visit(node);
    if (node.type !== "code" || node.lang !== "rollplay") return [node];
    return [embed(node), { ...node, lang: "yaml", meta: null }];
  });
}

function embed(code) {
  const attributes = [["yaml", code.value], ...settings(code.meta ?? "")];
  return {
    type: "mdxJsxFlowElement",
    name: "rollplay-embed",
    attributes: attributes.map(([name, value]) => ({ type: "mdxJsxAttribute", name, value })),
    children: [],
  };
}

// settings reads name=value, name="a value" and name. Unknown names are left out.
function settings(meta) {
  const all = [...meta.matchAll(/([a-z]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g)];
  return all.map(([, name, ...values]) => [name, values.find((v) => v !== undefined) ?? ""]).filter(([name]) => options.includes(name));
}
