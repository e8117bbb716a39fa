package main

// knownDifferences are those that are left as they are, each with its reason. A test fails when one does not occur any
// more. There is none at present; an entry needs a witness in testdata/known: a scenario that shows it.
var knownDifferences = []struct {
	name, reason string
	is           func(*difference) bool
}{}

// knownDifference returns the name of the known difference that this is, "" if it is none.
func knownDifference(d *difference) string {
	for _, k := range knownDifferences {
		if k.is(d) {
			return k.name
		}
	}
	return ""
}
