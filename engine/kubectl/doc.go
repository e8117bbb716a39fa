// Package kubectl carries out commands: it writes to the cluster and answers in kubectl's words. It is the largest part of the
// engine, because people know its texts by heart: they are the answer.
//
// The packages below it do the rest, and import only those to their right: read → describe, explain, events → print → line.
// Package patch is independent of them. One table (package line) defines everything about a verb: parser, completion, help and
// the site's list of commands read it.
//
// A line is parsed once into a line.Command; prompt, run, transcript, completion and undo use that value. A reading command is a
// function of a past state and of the changes after it (past.Read): its answer consists of lines with times, so -w, rollout status
// and wait can be scrubbed through. In a timeline, a reading command answers at its moment only; wait continues there, as drain
// does: later output becomes records (Output), and past.Transcript combines them with their times. So a link to a blocked drain
// replays it.
//
// If all objects of a scenario share a namespace, it is the current one, until kubectl config set-context --current --namespace
// chooses another. A recorded command without -n whose object is not in default finds it there.
//
// The conformance module sends random lines to this package and to the real kubectl. A named choice (choices.go there) may
// explain a difference only if what is left is equal. The real server gets the changes of our run at the same moments, and decides
// over evictions of one moment in the order of names, because kubectl sends them all at once.
//
// Simplified: objects that are applied without a namespace go to default.
package kubectl
