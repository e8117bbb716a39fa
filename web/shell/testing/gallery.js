// For a test of app/lesson: runs the script of the gallery over answers that a browser may have kept, and prints what it makes of them.
// node gallery.js SCRIPT CASES, two files; see galleryCase in app/lesson/gallery_test.go.
import { readFileSync } from "node:fs";
import { fakeStorage, load } from "./load.js";

const [script, cases] = process.argv.slice(2).map((name) => readFileSync(name, "utf8"));
const { Lessons, Cases } = JSON.parse(cases);

const element = () => ({ dataset: {}, hidden: false, textContent: "", value: "", selectedIndex: 0, options: [], selectedOptions: [], children: [], hash: "",
  addEventListener() {}, querySelector: () => element(), querySelectorAll: () => [] });
const elements = {};
const byId = (id) => elements[id] ??= element();

const cards = Object.entries(Lessons).map(([name, asks]) => ({ ...element(), dataset: { name, asks: (asks ?? []).join(" "), search: "" } }));
const chapter = { ...element(), querySelectorAll: () => cards };
Object.assign(byId("gallery"), { children: [chapter], querySelectorAll: () => cards, dataset: {} });
byId("review").dataset.text = "%d";

const storage = fakeStorage();
let now = 0, standing = () => {};
const globals = {
  document: { getElementById: byId, querySelectorAll: () => [], documentElement: { lang: "en" } }, location: { search: "", hash: "", pathname: "/" }, history: { replaceState() {} },
  HTMLDetailsElement: class {}, HTMLAnchorElement: class {}, localStorage: storage, Date: { now: () => now },
  addEventListener: (type, heard) => { if (type === "pageshow") standing = heard; },
};
load([], globals).run(script);

console.log(JSON.stringify(Cases.map(({ Seen, Answers, Day }) => {
  storage.setItem("rollplay/progress", Seen);
  storage.setItem("rollplay/answers", Answers);
  now = Day * 86_400_000 + 1;
  standing();
  const link = byId("review");
  return {
    First: link.hidden ? "" : link.hash.replace(/^s=|:\d+&.*$/g, ""),
    Count: link.hidden ? 0 : Number(link.textContent),
    Mastered: cards.filter((card) => card.dataset.level === "mastered").map((card) => card.dataset.name),
  };
})));
