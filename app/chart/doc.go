// Package chart makes lines, axes, marks and texts from the frames of a workload. The live chart and the posters draw them.
//
// The page measures its plot and gets the texts that fit (Panels.Answer). States shorter than 20 ms, or 4 px, are drawn as
// hairlines (Settle); the data stays as it is. A line that goes up and down more than twice has no pattern, because a browser
// spends up to 60 ms on cutting it into dashes.
package chart
