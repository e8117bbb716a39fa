package app

import "testing"

func TestALanguageThatThePageDoesNotHave(t *testing.T) {
	s := newSession(false)
	s.SetLang("de")
	if s.lang != english || s.langChosen {
		t.Errorf("a language that the page does not have was taken: %q", s.lang)
	}
}
