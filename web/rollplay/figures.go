package main

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/forecast"
)

// measureText writes a value of a measure for people.
func measureText(m *forecast.Measure, value int64) string {
	switch m.Unit {
	case forecast.Millis, forecast.PodMillis:
		return seconds(value)
	case forecast.Percent:
		return fmt.Sprintf("%d%%", value)
	case forecast.MilliCPU:
		return cores(value)
	case forecast.Bytes:
		return bytesText(value)
	}
	return fmt.Sprint(value)
}

func measureNames() string {
	var names []string
	for i := range forecast.Measures {
		names = append(names, forecast.Measures[i].Name)
	}
	return strings.Join(names, ", ")
}
