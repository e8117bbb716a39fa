package api

import "time"

// Epoch is the virtual moment at which every run starts, in Unix seconds: 2026-01-01T00:00:00Z. It is fixed, so
// that a recording always gives the same texts.
const Epoch = 1767225600

// Time is a moment as the API server stores it: whole Unix seconds (A-5, SIM-4). Zero is "not set".
type Time int64

// TimeAt returns the stored form of a virtual time, in ms since the start of the run.
func TimeAt(ms int64) Time { return Time(Epoch + ms/1000) }

// Milli returns the virtual ms since the start of the run at which the stored second begins.
func (t Time) Milli() int64 { return (int64(t) - Epoch) * 1000 }

// MarshalText returns the time in RFC 3339, as the API server prints it.
func (t Time) MarshalText() ([]byte, error) {
	return []byte(time.Unix(int64(t), 0).UTC().Format(time.RFC3339)), nil
}

// UnmarshalText reads RFC 3339.
func (t *Time) UnmarshalText(b []byte) error {
	p, err := time.Parse(time.RFC3339, string(b))
	if err != nil {
		return err
	}
	*t = Time(p.Unix())
	return nil
}
