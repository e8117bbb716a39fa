package line

// DryRun says whether a command only says what it would do.
type DryRun uint8

const (
	NoDryRun  DryRun = iota
	DryClient        // the server is not asked
	DryServer        // the server is asked whether it would take it
)

func (d DryRun) Suffix() string {
	return [...]string{"", " (dry run)", " (server dry run)"}[d]
}
