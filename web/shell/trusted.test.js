import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./testing/load.js";

// policy returns the rules that the script makes.
function policy() {
  let rules;
  load(["trusted.js"], { trustedTypes: { defaultPolicy: null, createPolicy(name, made) { assert.equal(name, "default"); rules = made; } } });
  return rules;
}

test("only the icons are HTML", () => {
  const { createHTML } = policy();
  const icon = `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M5 2.5v15l12-7.5z"/></svg>`;
  assert.equal(createHTML(icon), icon);
  assert.equal(createHTML(""), "");
  for (const html of ["<img src=x onerror=alert(1)>", icon + "<b>", icon.replace("aria-hidden", "onload"), icon.replace("M5", "M5<"), `<script>1</script>`]) {
    assert.equal(createHTML(html), null, html);
  }
});

test("only the page's own scripts have an address", () => {
  const { createScriptURL } = policy();
  for (const url of ["sw.js", "worker-ABCDEFGH.js", "pen-ABCDEFGH.js", "boot-ABCDEFGH.js", "../boot-ABCDEFGH.js"]) assert.equal(createScriptURL(url), url);
  for (const url of ["../sw.js", "https://evil.example/sw.js", "boot-abcdefgh.js", "../../boot-ABCDEFGH.js", "sw.js?x", "data:text/javascript,1"]) {
    assert.equal(createScriptURL(url), null, url);
  }
});

test("a second script makes no second policy", () => {
  load(["trusted.js"], { trustedTypes: { defaultPolicy: {}, createPolicy: () => assert.fail("a second policy") } });
  load(["trusted.js"], {}); // nor does a browser without Trusted Types
});
