// Package slim makes app.wasm smaller. Package gowasm rewrites its code and its data segments; here the tables that only tracebacks and
// signals read (lines, files, arguments, preemption points) become zeros. A panic still names every function, without the types of a
// generic one.
//
// Two tests compare the program before and after: one with goroutines, panics and deep stacks prints the same, and so do the traces
// of all scenarios.
package slim
