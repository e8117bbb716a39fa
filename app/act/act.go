// Package act names the actions that components post. Each has exactly one handler, in the page.
package act

// Actions that components post. Each has exactly one handler, in the page.
const (
	Apply         = "apply"
	Restart       = "restart"
	Kubectl       = "run"             // string: a kubectl line
	Do            = "do"              // string: a line for the environment
	Break         = "break"           // Damage
	Key           = "key"             // string: a name of keyActions
	Seek          = "seek"            // int64: virtual ms
	Record        = "record"          // int: index of a record to look at
	Speed         = "speed"           // int: index of speeds
	StepBy        = "step-by"         // string: a unit of stepUnits
	Text          = "text"            // string: of the editor
	Scenario      = "scenario"        // string: a shipped scenario
	Workload      = "workload"        // string: Deployment/default/web
	Remove        = "remove"          // int: a command of the recording
	Tab           = "tab"             // string: the name of a tab
	View          = "view"            // string: a view of the tab that is open
	OutOfSight    = "out-of-sight"    // string: true if the view was scrolled away
	Zoom          = "zoom"            // string: in, out or fit
	Theme         = "theme"           // next theme
	Sound         = "sound"           // a run is heard, or no longer
	Violations    = "violations"      // bool: opened
	DataTable     = "data-table"      // bool: opened
	Bound         = "bound"           // string: a field of the rolling update and a number of pods, as "maxSurge 4"
	FromStart     = "from-start"      // bool: a bound that is dragged holds from the start
	Stacked       = "stacked"         // bool: the revisions are areas
	Revisions     = "revisions"       // bool: the revisions are lines
	Requests      = "requests"        // string: ask, fix, close, or the ms of a loss
	Bet           = "bet"             // int: the answer to a lesson's question
	Try           = "try"             // bool: the edit that a lesson prepared
	Hint          = "hint"            // bool: an exercise shows the diagnosis
	StopAtCaption = "stop-at-caption" // bool: playing stops at each caption
	HurryIdle     = "hurry-idle"      // bool: time in which nothing happens passes faster
	PodsBy        = "pods-by"         // string: byReplicaSet or byNode
	PodsOrder     = "pods-order"      // bool: in order of deletion
	Terminal      = "terminal"        // string: typed or pasted at the prompt
	TerminalStop  = "terminal-stop"   // Ctrl-C
	TerminalClear = "terminal-clear"  // Ctrl-L
	TerminalFocus = "terminal-focus"  // show the prompt and go there
	PodCard       = "pod-card"        // string: namespace/name of the pod that is pointed at, empty for none
	Goto          = "goto"            // position: in the editor
	Far           = "far"             // string: virtual ms; the run is computed up to there first
	Arrive        = "arrive"          // string: virtual ms, and whether somebody has touched the page before the program was there
	Stop          = "stop"            // the computing of the run
	Continue      = "continue"        // string: all of a large run, or watch: as far as the cursor needs it
	Anyway        = "anyway"          // run what did not finish last time
	Dismiss       = "dismiss"         // the notice
	Load          = "load"            // string: a link that the page around an embed wants to see
	Playground    = "playground"      // of an embed: open the run in the playground
	Idle          = "idle"            // bool: the list of decisions has reconciles that change nothing
	Object        = "object"          // string: Kind/namespace/name; to its last write
	Link          = "link"            // string: the fragment that the address has now
	Address       = "address"         // the address may be brought in step with the run
	Numbers       = "numbers"         // open the dialog that compares settings
	NumbersClosed = "numbers-closed"
	NumbersAxis   = "numbers-axis"  // Axis
	NumbersColor  = "numbers-color" // int: index of a figure
	NumbersCell   = "numbers-cell"  // int: a cell to look at
	NumbersDo     = "numbers-do"    // string: follow or use the cell
	NumbersHeard  = "numbers-heard" // string: what the workers report
	Share         = "share"         // open the dialog
	ShareClosed   = "share-closed"
	ShareMoment   = "share-moment" // bool: the link opens at the cursor
	ShareView     = "share-view"   // bool: with speed, loop, tab and theme
	Take          = "take"         // string: yaml, now, json, svg, png or animated: save it as a file
	TakeDark      = "take-dark"    // bool: pictures are dark
	Copied        = "copied"       // string: the id of the field that was copied
	Lang          = "lang"         // string: the tag of a language
	Version       = "version"      // string: 1.36
	Start         = "start"        // string: open or close the panel of a first visit, or one of its ways: show, break, own
	Pane          = "pane"         // string: code or why; opens or closes that drawer
	Editor        = "editor"       // go to the text
	OpenCode      = "open-code"    // open the drawer of the text
	Recent        = "recent"       // the list of drafts is opened
	Draft         = "draft"        // string: the id of a draft to open
	DraftDelete   = "draft-delete" // string: its id
	DraftUndo     = "draft-undo"   // the draft that was deleted last
	DraftRename   = "draft-rename" // string: the name of the draft that is shown
	New           = "new"          // an empty text
	File          = "file"         // string: the text of a file
	FileRefused   = "file-refused" // string: the name of a file that is no text
	Paste         = "paste"        // string: put into an empty editor
	Palette       = "palette"      // open it, or close it
	PaletteClosed = "palette-closed"
	Branch        = "branch"        // int: the ID of a branch to switch to
	BranchName    = "branch-name"   // string: the ID of a branch and its new name
	BranchDelete  = "branch-delete" // int: the ID of a branch
	Compare       = "compare"       // int: the ID of a branch to compare with, -1 for the branch left last, 0 to stop comparing
	Present       = "present"       // string: on, off or toggle
)

// Position is a place in the editor's text, from 1.
type Position struct{ Line, Column int }

// Axis is a setting that varies: along the columns, 0, or the rows, 1.
type Axis struct {
	Index int
	Name  string
}

// Damage is a way to break a workload: an entry of the scenario's images with the line that rolls it out, or lines of kubectl,
// or one for the environment.
type Damage struct{ Image, Run, Then, Do string }
