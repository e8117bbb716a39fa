package lang

import "github.com/rollplay/rollplay/engine/scenario"

// limitMessages are about what takes long, is too large, or went wrong.
var limitMessages = map[Message]scenario.Text{
	// While a run is computed.
	"still-computing": {En: "Computing: %s, %s", Zh: "正在计算：%s，%s"},
	"records-one":     {En: "1 record", Zh: "1 条记录"},
	"records":         {En: "%d records", Zh: "%d 条记录"},
	"stop":            {En: "Stop", Zh: "停止"},
	"order-waits":     {En: "The command waits until the run is computed up to the cursor.", Zh: "命令正在等待：运行计算到光标处后执行。"},
	"orders-wait":     {En: "%d commands wait until the run is computed up to the cursor.", Zh: "%d 条命令正在等待：运行计算到光标处后执行。"},

	// A large run asks first.
	"large":       {En: "This run is large. The rest takes about %d s, and about %d MB in all.", Zh: "这次运行很大。其余部分约需 %d 秒，共占约 %d MB 内存。"},
	"large-all":   {En: "Compute all", Zh: "全部计算"},
	"large-watch": {En: "Only as I watch", Zh: "边看边算"},
	"large-stop":  {En: "Stop here", Zh: "到此为止"},

	// How a run ended early.
	"end-stopped": {En: "Stopped at %s, after %d records. What is computed stays.", Zh: "已在 %s 停止，共 %d 条记录。已计算的部分保留。"},
	"end-broke":   {En: "rollplay has a bug here: the run stops at %s. What came before stays.", Zh: "rollplay 在此处有缺陷：运行停在 %s。之前的部分保留。"},
	"end-loops":   {En: "Stopped at %s: the run has %d records and repeats itself in a loop. The last decisions in the list show the loop.", Zh: "已在 %s 停止：运行有 %d 条记录，并在不断循环。列表末尾的决策显示了这个循环。"},
	"end-large":   {En: "Stopped at %s: the run is too large. It has %d records, which take about %d MB.", Zh: "已在 %s 停止：运行太大。它有 %d 条记录，约占 %d MB 内存。"},

	// Bugs, and what did not finish.
	"page-broke": {En: "rollplay has a bug here. Your text is still in the editor.", Zh: "rollplay 在此处有缺陷。你的文本仍在编辑器中。"},
	"report":     {En: "Report for an issue", Zh: "可提交的问题报告"},
	"unfinished": {En: "This text did not finish last time, so it was not started.", Zh: "这份文本上次未能计算完，因此没有启动。"},
	"run-anyway": {En: "Run it anyway", Zh: "仍然运行"},
	"reset":      {En: "Forget everything and start over", Zh: "清除全部并重新开始"},

	// What is too large, in the help.
	"too-large":        {En: "What is too large", Zh: "多大算太大"},
	"too-large-what":   {En: "What", Zh: "项目"},
	"too-large-most":   {En: "At most", Zh: "上限"},
	"too-large-then":   {En: "Beyond it", Zh: "超出时"},
	"limit-line":       {En: "an error at the line", Zh: "在该行报错"},
	"limit-moment":     {En: "the command is refused", Zh: "命令被拒绝"},
	"limit-run":        {En: "the run ends", Zh: "运行结束"},
	"limit-cut":        {En: "the rest is left out", Zh: "其余部分省略"},
	"limit-characters": {En: "%s characters", Zh: "%s 个字符"},
	"limit-text":       {En: "a text", Zh: "文本"},
	"limit-documents":  {En: "documents of a text", Zh: "文本中的文档数"},
	"limit-objects":    {En: "objects of a text", Zh: "文本中的对象数"},
	"limit-commands":   {En: "commands of a run", Zh: "一次运行的命令数"},
	"limit-goals":      {En: "goals of an exercise, choices of a question", Zh: "一个练习的目标数，一道题的选项数"},
	"limit-entries":    {En: "entries of another list of a Scenario", Zh: "Scenario 中其他列表的条目数"},
	"limit-nodes":      {En: "nodes", Zh: "节点数"},
	"limit-pods":       {En: "pods that the workloads want", Zh: "工作负载期望的 Pod 数"},
	"limit-ordinals":   {En: "pods of one StatefulSet", Zh: "一个 StatefulSet 的 Pod 数"},
	"limit-workloads":  {En: "workloads", Zh: "工作负载数"},
	"limit-budgets":    {En: "PodDisruptionBudgets", Zh: "PodDisruptionBudget 数"},
	"limit-quotas":     {En: "ResourceQuotas", Zh: "ResourceQuota 数"},
	"limit-scalers":    {En: "HorizontalPodAutoscalers", Zh: "HorizontalPodAutoscaler 数"},
	"limit-parts":      {En: "entries of a list or map in an object, keys and values of a selector", Zh: "对象中一个列表或映射的条目数，选择算符的键和值的数量"},
	"limit-columns":    {En: "columns that a command asks for", Zh: "一条命令要求的列数"},
	"limit-steps":      {En: "steps of a JSONPath template", Zh: "一个 JSONPath 模板的步数"},
	"limit-work":       {En: "values that a command looks at", Zh: "一条命令查看的值数"},
	"limit-object":     {En: "an object, as JSON", Zh: "一个对象（JSON）"},
	"limit-copies":     {En: "what a JSON patch copies", Zh: "一个 JSON patch 复制的内容"},
	"limit-records":    {En: "records of a run", Zh: "一次运行的记录数"},
	"limit-memory":     {En: "records of a run, in memory", Zh: "一次运行的记录所占内存"},
	"limit-output":     {En: "output of a reading command", Zh: "读取类命令的输出"},
	"limit-message":    {En: "an error or a warning", Zh: "一条错误或警告"},
}
