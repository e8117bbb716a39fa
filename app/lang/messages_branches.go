package lang

import "github.com/rollplay/rollplay/engine/scenario"

// branchMessages are about branches of a run, their comparison, the sizes of panes, and the presenter's view.
var branchMessages = map[Message]scenario.Text{
	// Branches.
	"branches":          {En: "Branches", Zh: "分支"},
	"branches-are":      {En: "%d branches", Zh: "%d 个分支"},
	"branch-first":      {En: "as written", Zh: "原样"},
	"branch-edited":     {En: "edited text", Zh: "改过的文本"},
	"branch-other":      {En: "the other branch", Zh: "另一个分支"},
	"branch-from":       {En: "%s, from %s", Zh: "%s，从 %s 起"},
	"branch-root":       {En: "%s, from the start", Zh: "%s，从头开始"},
	"branch-at":         {En: "from %s", Zh: "从 %s 起"},
	"branch-start":      {En: "from the start", Zh: "从头开始"},
	"branch-shown":      {En: "shown", Zh: "当前"},
	"branch-switch":     {En: "Show", Zh: "显示"},
	"branch-compare":    {En: "Compare", Zh: "比较"},
	"branch-compare-is": {En: "Show the figures of both branches, and where they part", Zh: "显示两个分支的数字，以及从哪里分开"},
	"branch-delete":     {En: "Delete", Zh: "删除"},
	"branch-name":       {En: "Name of the branch", Zh: "分支的名称"},
	"branch-renamed":    {En: "The branch has its new name.", Zh: "分支已改名。"},
	"branch-deleted":    {En: "The branch %s was deleted. Undo brings it back.", Zh: "已删除分支 %s。撤销可恢复。"},
	"branch-figures":    {En: "%s, lowest %s, %s", Zh: "%s，最低 %s，%s"},
	"branch-unknown":    {En: "no figures yet: compare to compute them", Zh: "还没有数字：比较后会计算"},
	"branch-mark":       {En: "branch: %s", Zh: "分支：%s"},

	// The comparison.
	"compare":          {En: "Comparison of two branches", Zh: "两个分支的比较"},
	"compare-on":       {En: "Compared with %s.", Zh: "正在与 %s 比较。"},
	"compare-off":      {En: "The comparison is closed.", Zh: "已关闭比较。"},
	"compare-computes": {En: "Computing the other branch…", Zh: "正在计算另一个分支…"},
	"compare-close":    {En: "Close the comparison", Zh: "关闭比较"},
	"compare-branch":   {En: "Branch", Zh: "分支"},
	"compare-duration": {En: "Duration", Zh: "时长"},
	"compare-lowest":   {En: "Lowest available", Zh: "最低可用"},
	"compare-peak":     {En: "Peak pods", Zh: "Pod 峰值"},
	"compare-extra":    {En: "Extra pod-seconds", Zh: "额外的 Pod·秒"},
	"compare-outage":   {En: "Outage", Zh: "中断"},
	"compare-now":      {En: "Available at the cursor", Zh: "光标处可用"},
	"compare-by":       {En: "Difference", Zh: "差值"},
	"compare-more":     {En: "%s and counting", Zh: "%s，尚未结束"},
	"compare-same":     {En: "Both branches are the same, record by record.", Zh: "两个分支的每条记录都相同。"},
	"compare-parts":    {En: "They part at %s.", Zh: "两者在 %s 分开。"},
	"compare-decision": {En: "First decision that differs:", Zh: "第一个不同的决策："},
	"compare-here":     {En: "shown: %s", Zh: "当前：%s"},
	"compare-there":    {En: "other: %s", Zh: "另一个：%s"},
	"compare-none":     {En: "no further one", Zh: "没有了"},
	"compare-goto":     {En: "Move the cursor to this decision", Zh: "把光标移到这个决策"},
	"parting-mark":     {En: "the branches part here", Zh: "分支从这里分开"},

	// Panes.
	"size-code": {En: "Width of the code drawer", Zh: "代码抽屉的宽度"},
	"size-why":  {En: "Width of the why drawer", Zh: "“为什么”抽屉的宽度"},
	"size-tabs": {En: "Height of the tabs", Zh: "标签页的高度"},
	"size-max":  {En: "Maximize, or restore", Zh: "最大化或还原"},
	"size-is":   {En: "Drag or use the arrow keys; Enter maximizes, a double click or Delete resets", Zh: "拖动或用方向键调整；回车键最大化，双击或 Delete 恢复"},

	// The presenter's view.
	"present":          {En: "Present", Zh: "演示"},
	"present-is":       {En: "Presenter view", Zh: "演示视图"},
	"present-leave":    {En: "Leave the presenter view (Esc)", Zh: "退出演示视图 (Esc)"},
	"present-on":       {En: "Presenter view: the arrow keys step through the captions, Escape leaves.", Zh: "演示视图：方向键切换说明，Esc 退出。"},
	"present-off":      {En: "The presenter view is closed.", Zh: "已退出演示视图。"},
	"key-present":      {En: "presenter view; Esc leaves it", Zh: "演示视图；Esc 退出"},
	"key-separator":    {En: "on the edge of a pane: resize it, maximize it", Zh: "在窗格边缘：调整大小、最大化"},
	"present-no-notes": {En: "The arrow keys step through the moments of interest.", Zh: "方向键切换关键时刻。"},
}
