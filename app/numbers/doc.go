// Package numbers compares settings before anybody deploys them: it plays the next update of a workload with each combination of
// two settings and shows what each one costs.
//
// It measures in Web Workers: the same program, with the code that the page has compiled. A task and its answers travel as texts
// (sweep/elsewhere.go), so the cells are the same as on the page. Until a worker is ready, and where a browser refuses them, the
// page measures in its frames, and a large cell gives the thread back at each breath. A worker takes about 16 MB and twice its run,
// together they get 512 MB, and they end with the dialog. Cells are coloured by rank, not by value: one very slow cell would make
// all others look the same.
package numbers
