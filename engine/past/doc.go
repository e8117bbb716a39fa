// Package past gives views of the computed part of a run: the cluster at a cursor, lives of pods, lanes, work queues, causes,
// differences, tables, and the answers of reading kubectl commands. It never changes the run.
//
// A view of the cluster moves along the log of changes in both directions, because each change also holds the previous version.
// It leaves a checkpoint (lists of pointers) every 2,048 changes, so a seek passes at most about a thousand changes, however
// long the run.
package past
