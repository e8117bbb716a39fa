package chart

import (
	"strconv"

	"github.com/rollplay/rollplay/engine"
)

// CurveWidth and CurveHeight are the units in which a curve is drawn.
const (
	CurveWidth  = 48
	CurveHeight = 16
)

// Curve draws the total and the available pods of a run as two paths of an SVG, with a "|" between them: a picture of a few
// hundred bytes. Each unit of the width shows the last frame of its part of the time, so a rollout of 10 s in a run of 18 s is
// 27 units wide.
func Curve(frames []engine.Frame, end int64) string {
	top := 1
	for i := range frames {
		top = max(top, frames[i].Total)
	}
	if len(frames) == 0 || end <= 0 {
		return ""
	}
	total := curve(frames, end, top, func(f *engine.Frame) int { return f.Total })
	return total + "|" + curve(frames, end, top, func(f *engine.Frame) int { return f.Available })
}

func curve(frames []engine.Frame, end int64, top int, count func(*engine.Frame) int) string {
	path, was, i := "", -1, 0
	for x := range int64(CurveWidth) {
		for i+1 < len(frames) && frames[i+1].T <= end*(x+1)/CurveWidth {
			i++
		}
		y := CurveHeight - 1 - count(&frames[i])*(CurveHeight-2)/top
		switch {
		case was < 0:
			path = "M0 " + strconv.Itoa(y)
		case y != was:
			path += "H" + strconv.FormatInt(x, 10) + "V" + strconv.Itoa(y)
		}
		was = y
	}
	return path + "H" + strconv.Itoa(CurveWidth)
}
