package words

import "strconv"

// Cores writes thousandths of a CPU as Kubernetes does: 1500m, 2.
func Cores(milli int64) string {
	if milli%1000 == 0 {
		return strconv.FormatInt(milli/1000, 10)
	}
	return strconv.FormatInt(milli, 10) + "m"
}

// Bytes writes an amount of memory as Kubernetes does, without rounding: 2304Mi.
func Bytes(n int64) string {
	units := [...]string{"", "Ki", "Mi", "Gi", "Ti"}
	i := 0
	for n > 0 && n%1024 == 0 && i < len(units)-1 {
		n, i = n/1024, i+1
	}
	return strconv.FormatInt(n, 10) + units[i]
}
