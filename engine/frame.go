package engine

import "github.com/rollplay/rollplay/engine/frames"

// Frame is the counts of one workload after one record: what the charts draw.
type Frame = frames.Frame

// RSFrame is the part of a Frame that belongs to one ReplicaSet.
type RSFrame = frames.RSFrame
