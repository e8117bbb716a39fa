package session_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// TestCaptionsCanBeRead: where playing does not stop, each caption of each lesson stays for as long as 180 words or 300 Chinese characters
// a minute take, however fast the author plays it.
func TestCaptionsCanBeRead(t *testing.T) {
	const frame = 16
	for i, name := range scenarios.Names() {
		s := session.New(false)
		lang := []string{"en", "zh"}[i%2]
		s.Visit.SetLang(lang)
		s.Cursor.Guide = session.Guide{Reads: true}
		s.LoadScenario(name)
		apptest.Compute(t, s)
		s.Cursor.SetFactor(50)
		s.Cursor.SeekTo(0)
		s.Cursor.Play()
		captions := s.Run().Scenario().Captions
		shown := make([]float64, len(captions))
		for range 100_000 {
			if !s.Cursor.Playing {
				break
			}
			if s.Tick(frame); s.Lesson.Caption() >= 0 {
				shown[s.Lesson.Caption()] += frame
			}
		}
		for n, c := range captions[:len(captions)-1] {
			if need := needed(c.Text.In(lang)); shown[n] < need-2*frame || shown[n] > max(need, float64(captions[n+1].At-c.At))+4*frame {
				t.Errorf("%s, %s: caption %d is there for %.0f ms and takes %.0f to read", name, lang, n, shown[n], need)
			}
		}
	}
}

// needed counts by hand: each Chinese character, and each word between spaces and Chinese characters.
func needed(text string) float64 {
	ms := 0.0
	var others strings.Builder
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			ms += 60_000.0 / 300
			r = ' '
		}
		others.WriteRune(r)
	}
	return ms + float64(len(strings.Fields(others.String())))*60_000/180
}
