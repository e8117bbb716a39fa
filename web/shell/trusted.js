// @ts-check
// With Trusted Types the browser takes a text as HTML, or as the address of a script, only from this policy. It accepts the texts of
// the page itself, and refuses everything else, so an injection has no effect at these places. The build puts it before
// boot.js and embed.js.
(() => {
  "use strict";
  if (!window.trustedTypes || window.trustedTypes.defaultPolicy) return; // in an embed boot.js comes second
  // The icons of app/parts and app/header. ECharts writes "" to empty its element.
  const drawing = /^(<svg( (class|viewBox|aria-hidden)="[\w .-]*")+>(<path( (class|fill-rule|d)="[\w .-]*")+\/>)+<\/svg>)?$/;
  // The service worker, the workers that measure and that draws, and the program's starter, which an embed adds on a click.
  const script = /^(sw\.js|(worker|pen)-[A-Z2-7]{8}\.js|(\.\.\/)?boot-[A-Z2-7]{8}\.js)$/;
  window.trustedTypes.createPolicy("default", {
    createHTML: (html) => (drawing.test(html) ? html : null),
    createScriptURL: (url) => (script.test(url) ? url : null),
  });
})();
