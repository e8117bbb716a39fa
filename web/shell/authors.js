// @ts-check
// The page for authors: puts the address of this site into every snippet, and a copy button beside it.
(() => {
  "use strict";
  const { root, copy, copied } = document.body.dataset;
  const site = new URL(root ?? "", location.href).href;
  for (const code of document.querySelectorAll("pre.copy code")) {
    code.textContent = code.textContent.replaceAll("https://rollplay.example/", site).replaceAll("https://rollplay.example", new URL(site).origin);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.textContent = copy ?? "";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied ?? "";
    });
    code.parentElement?.before(button);
  }
  // A wide example takes the focus, so that keys scroll it.
  const stops = new ResizeObserver((all) => {
    for (const { target } of all) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const pre of document.querySelectorAll("pre")) stops.observe(pre);
})();
