import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Documentation",
  head: [["script", { async: "", src: "https://rollplay.example/embed/v1/host.js" }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "rollplay-embed" } } },
});
