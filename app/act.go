package app

// Actions that components post. Each has exactly one handler, in the page.
const (
	actApply         = "apply"
	actRestart       = "restart"
	actRun           = "run"            // string: a kubectl line
	actDo            = "do"             // string: a line for the environment
	actKey           = "key"            // string: a name of keyActions
	actSeek          = "seek"           // int64: virtual ms
	actRecord        = "record"         // int: index of a record to look at
	actSpeed         = "speed"          // int: index of speeds
	actStepBy        = "step-by"        // string: a unit of stepUnits
	actFork          = "fork"           // int: a fork to switch to
	actText          = "text"           // string: of the editor
	actScenario      = "scenario"       // string: a shipped scenario
	actWorkload      = "workload"       // string: Deployment/default/web
	actRemove        = "remove"         // int: a command of the recording
	actTab           = "tab"            // string: a name of tabs
	actZoom          = "zoom"           // string: in, out or fit
	actTheme         = "theme"          // next theme
	actViolations    = "violations"     // bool: opened
	actDataTable     = "data-table"     // bool: opened
	actPodsBy        = "pods-by"        // string: byReplicaSet or byNode
	actPodsOrder     = "pods-order"     // bool: in order of deletion
	actTerminal      = "terminal"       // string: typed or pasted at the prompt
	actTerminalStop  = "terminal-stop"  // Ctrl-C
	actTerminalClear = "terminal-clear" // Ctrl-L
	actTerminalFocus = "terminal-focus" // show the prompt and go there
	actPodCard       = "pod-card"       // string: namespace/name of the pod that is pointed at, empty for none
	actGoto          = "goto"           // position: in the editor
	actFar           = "far"            // string: virtual ms; the run is computed up to there first
	actLoad          = "load"           // string: a link that the page around an embed wants to see
	actPlayground    = "playground"     // of an embed: open the run in the playground
	actFidelity      = "fidelity"       // how right is this?
	actIdle          = "idle"           // bool: the list of decisions has reconciles that change nothing
	actObject        = "object"         // string: Kind/namespace/name; to its last write
	actLink          = "link"           // string: the fragment that the address has now
	actAddress       = "address"        // the address may be brought in step with the run
	actShare         = "share"          // open the dialog
	actShareClosed   = "share-closed"
	actShareMoment   = "share-moment" // bool: the link opens at the cursor
	actShareView     = "share-view"   // bool: with speed, loop, tab and theme
	actCopied        = "copied"       // string: the id of the field that was copied
	actLang          = "lang"         // string: the tag of a language
	actStart         = "start"        // string: open or close the panel of a first visit, or one of its ways: show, break, own
	actSeries        = "series"       // string: id of a line of the chart; to the last change of its number
)

// position is a place in the editor's text, from 1.
type position struct{ Line, Column int }
