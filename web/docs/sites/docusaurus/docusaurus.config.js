import remarkRollplay from "rollplay-embed/remark";

// The page "plain" has no plugin, so its fence stays what Docusaurus makes of it.
const plugin = () => (tree, file) => (file.path.endsWith("plain.mdx") ? undefined : remarkRollplay()(tree));

export default {
  title: "Docusaurus",
  url: "http://docs.test",
  baseUrl: "/",
  onBrokenLinks: "throw",
  scripts: [{ src: "https://rollplay.example/embed/v1/host.js", async: true }],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/", sidebarPath: undefined, remarkPlugins: [plugin] }]],
  themes: ["@docusaurus/theme-classic"],
  themeConfig: { colorMode: { respectPrefersColorScheme: true }, navbar: { title: "Docusaurus" } },
};
