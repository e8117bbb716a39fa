package site

// buildPages makes all that is only read, and runs nothing: the page of each scenario with its posters, the gallery, what
// tells other programs of them, and the page for an address that leads nowhere.
func buildPages(o Options) ([]File, *missing, error) {
	css, err := styleSheet(o, "pages.css")
	if err != nil {
		return nil, nil, err
	}
	style := later(hashed("pages", ".css", css))
	presets, err := readPresets()
	if err != nil {
		return nil, nil, err
	}
	files, err := buildPresets(o, presets, style.Name)
	if err != nil {
		return nil, nil, err
	}
	missing, err := newMissing(o, style.Name)
	if err != nil {
		return nil, nil, err
	}
	page, err := missing.file(o)
	return append(append(files, style, page), announcements(o, presets)...), missing, err
}
