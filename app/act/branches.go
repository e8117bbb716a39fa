package act

// Actions on branches, and the presenter's view.
const (
	Branch       = "branch"        // int: the ID of a branch to switch to
	BranchName   = "branch-name"   // string: the ID of a branch and its new name
	BranchDelete = "branch-delete" // int: the ID of a branch
	Compare      = "compare"       // int: the ID of a branch to compare with, -1 for the one that was left last, 0 to end it
	Present      = "present"       // string: on, off or toggle
)
