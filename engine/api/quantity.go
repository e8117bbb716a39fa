package api

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Quantity is an amount of a resource: 500m, 1.5, 2Gi. Equal amounts may differ in their format: compare with Cmp.
//
// Simplified: amounts finer than a thousandth are rounded up to one, as the API server does in resource lists;
// amounts beyond ±2^63 units stay there; of a binary amount's fraction eighteen digits count.
type Quantity struct {
	units   int64  // rounded towards minus infinity
	milli   int16  // the rest in thousandths, 0 to 999
	format  format // how the amount was written, and is printed
	written string // what is printed instead of the canonical text
}

// format is a way to write a quantity.
type format uint8

const (
	decimalSI       format = iota // 2k
	binarySI                      // 2Ki
	decimalExponent               // 2e3
)

// The API server's messages about broken quantities.
var (
	errQuantityForm   = errors.New("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
	errQuantityNumber = errors.New("unable to parse numeric part of quantity")
	errQuantitySuffix = errors.New("unable to parse quantity's suffix")
)

var (
	decimalSuffixes = []string{"", "k", "M", "G", "T", "P", "E"}       // powers of 1000
	binarySuffixes  = []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"} // powers of 1024
)

// ParseQuantity reads an amount; its errors are the API server's texts. There, most suffixes alone are nothing of it, but not all.
func ParseQuantity(s string) (Quantity, error) {
	rest, negative := strings.CutPrefix(s, "-")
	if !negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	suffix := strings.TrimLeft(rest, "0123456789.")
	number := rest[:len(rest)-len(suffix)]
	whole, fraction, _ := strings.Cut(number, ".")
	if s == "" || strings.Contains(fraction, ".") || !suffixForm(suffix) {
		return Quantity{}, errQuantityForm
	}
	power, shift, f, ok := parseSuffix(suffix)
	if !ok {
		return Quantity{}, errQuantitySuffix
	}
	if digits := strings.Trim(number, "."); digits == "" && (shift > 40 || power < -9) {
		return Quantity{}, errQuantityNumber
	}
	var q Quantity
	if f == binarySI {
		q.units, q.milli = scaleBinary(whole, fraction, shift)
	} else {
		q.units, q.milli = scaleDecimal(whole+fraction, len(whole)+power)
	}
	q.format = f
	if negative {
		q = q.neg()
	}
	if staysWritten(strings.TrimLeft(whole, "0"), fraction, power, shift) && q.String() != s {
		q.written = s
	}
	return q, nil
}

// staysWritten says whether the API server keeps the text of an amount, although it may not be canonical: +1, 2.Gi, 1.500
// (apimachinery pkg/api/resource/quantity.go:ParseQuantity). The whole number has no zeros in front.
func staysWritten(whole, fraction string, power, shift int) bool {
	digits := whole + fraction
	if shift > 0 {
		n, err := strconv.ParseInt(whole, 10, 64)
		return err == nil && fraction == "" && len(whole)+shift*3/10 < 15 && n%8 != 0
	}
	scale := power - len(fraction)
	return whole != "" && len(digits) <= 18 && scale >= -3 && scale%3 == 0 && !strings.HasSuffix(digits, "000")
}

// MustQuantity is ParseQuantity for a text in the program.
func MustQuantity(s string) Quantity {
	q, err := ParseQuantity(s)
	if err != nil {
		panic("api: quantity " + strconv.Quote(s) + ": " + err.Error())
	}
	return q
}

// NewQuantity returns a whole number as a quantity.
func NewQuantity(units int64) Quantity { return Quantity{units: units} }

// NewMilliQuantity returns a number of thousandths, not below 0, as a quantity.
func NewMilliQuantity(milli int64) Quantity {
	return Quantity{units: milli / 1000, milli: int16(milli % 1000)}
}

// suffixForm says whether the API server takes a text for a suffix at all: letters, then a signed number.
func suffixForm(s string) bool {
	s = strings.TrimLeft(s, "eEinumkKMGTP")
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return strings.Trim(s, "0123456789") == ""
}

// parseSuffix returns the power of ten, or the power of two, of a suffix.
func parseSuffix(s string) (power, shift int, f format, ok bool) {
	if i := slices.Index(decimalSuffixes, s); i >= 0 {
		return 3 * i, 0, decimalSI, true
	}
	if i := slices.Index(binarySuffixes, s); i >= 0 {
		return 0, 10 * i, binarySI, true
	}
	if i := strings.Index("mun", s); i >= 0 && len(s) == 1 {
		return -3 * (i + 1), 0, decimalSI, true
	}
	if len(s) > 1 && (s[0] == 'e' || s[0] == 'E') {
		// The bound keeps the arithmetic on positions small; beyond it every amount is the largest or the smallest.
		p, err := strconv.ParseInt(s[1:], 10, 64)
		return int(min(max(p, -1e6), 1e6)), 0, decimalExponent, err == nil
	}
	return 0, 0, 0, false
}

// scaleDecimal returns the amount whose digits have the point before position point, which may be outside of them.
func scaleDecimal(digits string, point int) (int64, int16) {
	digit := func(i int) int64 {
		if i < 0 || i >= len(digits) {
			return 0
		}
		return int64(digits[i] - '0')
	}
	if strings.Trim(digits, "0") == "" {
		return 0, 0
	}
	var units int64
	for i := 0; i < point; i++ {
		if units > (math.MaxInt64-9)/10 {
			return math.MaxInt64, 0
		}
		units = units*10 + digit(i)
	}
	milli := digit(point)*100 + digit(point+1)*10 + digit(point+2)
	if fine := max(point+3, 0); fine < len(digits) && strings.Trim(digits[fine:], "0") != "" {
		milli++
	}
	return carry(units, milli)
}

// scaleBinary returns the amount whole.fraction · 2^shift.
func scaleBinary(whole, fraction string, shift int) (int64, int16) {
	units, _ := scaleDecimal(whole, len(whole))
	if units > math.MaxInt64>>shift {
		return math.MaxInt64, 0
	}
	units <<= shift
	counts := min(len(fraction), 18)
	f, ten := uint64(0), uint64(1)
	for i := range counts {
		f, ten = f*10+uint64(fraction[i]-'0'), ten*10
	}
	hi, lo := bits.Mul64(f, 1<<shift)
	q, rem := bits.Div64(hi, lo, ten) // f < ten, so the quotient is below 2^60
	if units > math.MaxInt64-int64(q) {
		return math.MaxInt64, 0
	}
	hi, lo = bits.Mul64(rem, 1000)
	milli, rem := bits.Div64(hi, lo, ten)
	if rem > 0 || strings.Trim(fraction[counts:], "0") != "" {
		milli++
	}
	return carry(units+int64(q), int64(milli))
}

// carry brings thousandths from 0 to 1000 into range.
func carry(units, milli int64) (int64, int16) {
	if milli < 1000 {
		return units, int16(milli)
	}
	return addSaturated(units, 1), int16(milli - 1000)
}

func (q Quantity) neg() Quantity {
	if q.milli > 0 {
		return Quantity{units: -q.units - 1, milli: 1000 - q.milli, format: q.format}
	}
	return Quantity{units: -q.units, format: q.format}
}

// Cmp compares two amounts: -1, 0 or 1.
func (q Quantity) Cmp(o Quantity) int {
	return cmp.Or(cmp.Compare(q.units, o.units), cmp.Compare(q.milli, o.milli))
}

// IsZero says whether the amount is nothing.
func (q Quantity) IsZero() bool { return q.units == 0 && q.milli == 0 }

// IsWhole says whether the amount has no fraction.
func (q Quantity) IsWhole() bool { return q.milli == 0 }

// Milli returns the amount in thousandths; an amount that does not fit is the largest or smallest that does.
func (q Quantity) Milli() int64 {
	switch {
	case q.units > math.MaxInt64/1000-1:
		return math.MaxInt64
	case q.units < math.MinInt64/1000:
		return math.MinInt64
	}
	return q.units*1000 + int64(q.milli)
}

// Value returns the amount in whole units, rounded up.
func (q Quantity) Value() int64 {
	if q.milli > 0 {
		return addSaturated(q.units, 1)
	}
	return q.units
}

// Add returns the sum, in the format of q unless that is zero.
func (q Quantity) Add(o Quantity) Quantity {
	sum := Quantity{format: q.format}
	if q.IsZero() {
		sum.format = o.format
	}
	sum.units, sum.milli = carry(addSaturated(q.units, o.units), int64(q.milli)+int64(o.milli))
	return sum
}

// Sub returns the difference, in the format of q unless that is zero.
func (q Quantity) Sub(o Quantity) Quantity { return q.Add(o.neg()) }

func addSaturated(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// String returns the text that the API server prints, which is the canonical one but for amounts that it leaves as they were written:
// the largest suffix without a fraction. 1000m is 1, 1024Mi is 1Gi, 0.5 is 500m.
func (q Quantity) String() string {
	switch {
	case q.written != "":
		return q.written
	case q.IsZero():
		return "0"
	case q.milli != 0 && q.units < 0:
		return "-" + q.neg().String()
	case q.milli != 0:
		return strings.TrimLeft(fmt.Sprintf("%d%03d", q.units, q.milli), "0") + q.suffix(-3)
	}
	n, power := q.units, 0
	if q.format == binarySI && (n >= 1024 || n <= -1024) {
		for ; n%1024 == 0; power++ {
			n /= 1024
		}
		return strconv.FormatInt(n, 10) + binarySuffixes[power]
	}
	for ; n%1000 == 0; power += 3 {
		n /= 1000
	}
	return strconv.FormatInt(n, 10) + q.suffix(power)
}

// suffix returns the text for a power of ten that is a multiple of three.
func (q Quantity) suffix(power int) string {
	switch {
	case power == 0:
		return ""
	case q.format == decimalExponent:
		return "e" + strconv.Itoa(power)
	case power == -3:
		return "m"
	}
	return decimalSuffixes[power/3]
}

// exact returns a text that equal amounts share, whatever their format.
func (q Quantity) exact() string { return Quantity{units: q.units, milli: q.milli}.String() }

// MarshalText returns the canonical text.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalJSON reads a JSON string or number.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	s := string(b)
	if len(s) >= 2 && s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	var err error
	*q, err = ParseQuantity(strings.TrimSpace(s))
	return err
}
