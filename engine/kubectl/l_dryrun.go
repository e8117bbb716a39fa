package kubectl

// dryRun says whether a command only says what it would do.
type dryRun uint8

const (
	noDryRun  dryRun = iota
	dryClient        // the server is not asked
	dryServer        // the server is asked whether it would take it
)

func (d dryRun) suffix() string {
	return [...]string{"", " (dry run)", " (server dry run)"}[d]
}
