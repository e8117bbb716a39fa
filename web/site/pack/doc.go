// Package pack makes the files of the site that need tools: it compiles the wasm, bundles and shrinks JavaScript and CSS, fills
// in templates, collects licences and compresses. The pages themselves are in package pages.
//
// The wasm is built with changed copies of four modules (modules.go). go-app loses its server, encryption, device IDs, shared
// states and table of HTML entities; yaml/v2 loses structs, yaml/v3 all but nodes; both YAML modules and go-echarts lose regular
// expressions, three patterns in all. The copy of go-app also catches panics of components and handlers and reports them
// (page.Broke), and gives the thread back between two elements. None of it is committed, and a version that a change does not fit
// fails the build. TestLeftOut lists what is gone.
//
// Six files of Go are changed (runtime.go) and bound to their hashes, so that a turn of the program is short: the collector works in
// the first 8 ms of a turn and requests another one, and a memory limit of 421 MiB balances that. A turn of more than 20 ms ends and
// waits for a task of its own; a short sleep would not do, because Go's scheduler returns to the browser only if no timer is due.
// Values of JavaScript are boxed in 128 bytes, because Go searches the finalizers of a span one by one.
//
// Packages that neither simulate events nor draw frames are compiled without inlining (wasm.go): the download is 5% smaller, a run
// takes about 6% longer.
package pack
