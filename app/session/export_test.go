package session

// Restore restores what Save returned, and leaves out what is damaged. A text that no longer runs, because the engine has
// become stricter, stays in the editor.
func (s *Session) Restore(data string) error {
	v, err := readSaved(data)
	if err == nil {
		s.restore(v)
	}
	return err
}
