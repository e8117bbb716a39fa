package parts

import "github.com/rollplay/rollplay/app/lang"

// Paths of other pages, seen from the playground.
const (
	FidelityPath = "fidelity/"    // the list of rules, which is in English
	LicensesPath = "licenses.txt" // the licences of everything that the page contains
	ResetPath    = "?reset"       // the page as on a first visit; boot.js clears the storage before the program starts
)

// GalleryPath is the page of all scenarios in a language.
func GalleryPath(l lang.Lang) string {
	if l == lang.English {
		return "scenarios/"
	}
	return "scenarios/" + string(l) + "/"
}
