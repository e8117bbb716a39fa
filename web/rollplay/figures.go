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
	case forecast.NodeMillis:
		return nodeHours(value)
	case forecast.Percent:
		return fmt.Sprintf("%d%%", value)
	case forecast.MilliCPU:
		return cores(value)
	case forecast.Bytes:
		return bytesText(value)
	}
	return fmt.Sprint(value)
}

// nodeHours writes node-ms as node-hours: two nodes for half an hour are 1.0000.
func nodeHours(ms int64) string { return fmt.Sprintf("%.4f", float64(ms)/3_600_000) }

func measureNames() string {
	var names []string
	for i := range forecast.Measures {
		names = append(names, forecast.Measures[i].Name)
	}
	return strings.Join(names, ", ")
}
