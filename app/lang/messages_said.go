package lang

import "github.com/rollplay/rollplay/engine/scenario"

// saidMessages answer actions: the notices above the editor, and what is read out.
var saidMessages = map[Message]scenario.Text{
	// Scenarios and runs.
	"scenario-none":   {En: "There is no scenario %q.", Zh: "没有场景 %q。"},
	"texts-missing":   {En: "The scenarios could not be loaded: %s. Check the connection and try again.", Zh: "无法加载场景：%s。请检查网络连接后重试。"},
	"scenario-loaded": {En: "Scenario %s loaded.", Zh: "已加载场景 %s。"},
	"run-refused":     {En: "This cannot run: %s", Zh: "无法运行：%s"},
	"run-line":        {En: "line %d: %s", Zh: "第 %d 行：%s"},
	"run-no-reason":   {En: "the engine gave no reason", Zh: "引擎没有给出原因"},
	"run-none":        {En: "Nothing is running yet.", Zh: "还没有运行。"},
	"act-after-end":   {En: "The scenario ends at %s, so nothing can happen after that. Move the cursor back, or give it a longer duration.", Zh: "场景到 %s 结束，之后不会再发生任何事。请把光标移回更早的时刻，或加大 duration。"},
	"run-no-prompt":   {En: "Nothing is running yet: the prompt needs a run to answer from.", Zh: "还没有运行：命令行需要一次运行才能回答。"},
	"run-other":       {En: "This is the other run.", Zh: "这是另一次运行。"},
	"link-plays":      {En: "The link is open: it plays.", Zh: "链接已打开：正在播放。"},
	"link-paused":     {En: "The link is open: paused at %s.", Zh: "链接已打开：停在 %s。"},

	// Applying and commands.
	"apply-empty":    {En: "There is nothing to apply: the editor is empty.", Zh: "没有可应用的内容：编辑器是空的。"},
	"apply-error":    {En: "Not applied: 1 error. The run shows the last valid text.", Zh: "未应用：1 个错误。运行的仍是上一份正确的文本。"},
	"apply-errors":   {En: "Not applied: %d errors. The run shows the last valid text.", Zh: "未应用：%d 个错误。运行的仍是上一份正确的文本。"},
	"applied":        {En: "Applied at %s.", Zh: "已在 %s 应用。"},
	"applied-partly": {En: "The objects were applied at %s. The Scenario document changed too: that needs a restart.", Zh: "已在 %s 应用这些对象。Scenario 文档也改了：那需要重新开始。"},
	"applied-none":   {En: "The Scenario document applies from the start of a run, so this change needs a restart.", Zh: "Scenario 文档从运行的开头起生效，所以这个改动需要重新开始。"},
	"restart-bad":    {En: "Not started: the text has errors or is empty.", Zh: "未开始：文本有错误，或者是空的。"},
	"restarted":      {En: "Restarted with the text of the editor.", Zh: "已用编辑器中的文本重新开始。"},
	"bound-set":      {En: "%s is %d from the start.", Zh: "从一开始 %s 就是 %d。"},
	"removed":        {En: "The command was removed.", Zh: "已移除这条命令。"},
	"undone":         {En: "Undone.", Zh: "已撤销。"},
	"redone":         {En: "Redone.", Zh: "已重做。"},
	"undone-all":     {En: "Nothing to undo.", Zh: "没有可撤销的操作。"},
	"redone-all":     {En: "Nothing to redo.", Zh: "没有可重做的操作。"},
	"edit-open":      {En: "%s is open in the editor, line %d. Apply sends what you change there.", Zh: "已在编辑器中打开 %s，第 %d 行。在那里修改后点“应用”。"},
	"edit-missing":   {En: "error: %s has no manifest in the editor's text; kubectl patch, set and scale change it, too", Zh: "错误：编辑器的文本里没有 %s 的清单；kubectl patch、set 和 scale 也能修改它"},

	// Drafts.
	"draft-open":    {En: "Draft %s is open.", Zh: "已打开草稿 %s。"},
	"draft-damaged": {En: "This draft is damaged and can't be opened.", Zh: "这个草稿已损坏，无法打开。"},
	"draft-empty":   {En: "Empty", Zh: "空"},
	"draft-edited":  {En: "%s, edited", Zh: "%s（已修改）"},
	"draft-unnamed": {En: "Untitled", Zh: "未命名"},
	"draft-copied":  {En: "Another tab has changed this draft. What you change here is kept as %s.", Zh: "另一个标签页修改了这个草稿。你在这里的修改保存为 %s。"},
	"draft-dropped": {En: "The browser's storage is full. To keep this draft, the oldest ones were deleted: %s.", Zh: "浏览器存储已满。为了保存当前草稿，已删除最旧的草稿：%s。"},
	"draft-unsaved": {En: "Not saved: the browser's storage is full, or it refuses to keep anything. A link (Share) keeps this run.", Zh: "未保存：浏览器存储已满，或不允许保存。可以用链接（分享）保留这次运行。"},

	// Moving in time.
	"step-set":       {En: "Steps go from %s to %s.", Zh: "每一步从一个%s到下一个%s。"},
	"step-none-on":   {En: "No further %s.", Zh: "后面没有%s了。"},
	"step-none-back": {En: "No earlier %s.", Zh: "前面没有%s了。"},
	"loop-starts":    {En: "The loop starts at %s. Move the cursor to its end and press again.", Zh: "循环从 %s 开始。把光标移到结束处，再按一次。"},
	"loop-goes":      {En: "The loop runs from %s to %s.", Zh: "循环从 %s 到 %s。"},
	"loop-off":       {En: "No loop.", Zh: "没有循环。"},
	"tell-event":     {En: "%s, event %s: %s", Zh: "%s，事件 %s：%s"},
	"first-pod":      {En: "first pod of %s", Zh: "%s 的第一个 Pod"},
	"complete-one":   {En: "rollout complete: 1 pod is updated and available", Zh: "上线完成：1 个 Pod 已更新且可用"},
	"complete":       {En: "rollout complete: %d pods are updated and available", Zh: "上线完成：%d 个 Pod 已更新且可用"},
	"condition-gone": {En: "condition %s is gone", Zh: "状况 %s 已消失"},
	"condition-is":   {En: "condition %s is %s: %s", Zh: "状况 %s 变为 %s：%s"},
}
