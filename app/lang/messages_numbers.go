package lang

import "github.com/rollplay/rollplay/engine/scenario"

// numbersMessages are what the dialog that compares settings says.
var numbersMessages = map[Message]scenario.Text{
	"numbers":            {En: "Compare…", Zh: "比较…"},
	"numbers-is":         {En: "Which maxSurge and maxUnavailable? Play the update with each of them and compare the numbers", Zh: "maxSurge 和 maxUnavailable 选多少？用每种取值各更新一次，比较结果"},
	"numbers-heading":    {En: "What would other settings cost?", Zh: "换成其他取值，代价如何？"},
	"numbers-lead":       {En: "Each cell is one run of the update with the same seed. Choose a cell to see all its numbers.", Zh: "每一格都是用同一随机种子更新一次的结果。选择一格可查看它的全部数字。"},
	"numbers-columns":    {En: "columns", Zh: "列"},
	"numbers-rows":       {En: "rows", Zh: "行"},
	"numbers-show":       {En: "show", Zh: "显示"},
	"numbers-duration":   {En: "duration", Zh: "耗时"},
	"numbers-lowest":     {En: "lowest availability", Zh: "最低可用比例"},
	"numbers-outage":     {En: "outage", Zh: "中断时间"},
	"numbers-peak":       {En: "most pods at once", Zh: "Pod 数峰值"},
	"numbers-extra":      {En: "extra pod-seconds", Zh: "额外的 Pod·秒"},
	"numbers-invalid":    {En: "refused", Zh: "被拒绝"},
	"numbers-quota":      {En: "quota", Zh: "配额不足"},
	"numbers-no-room":    {En: "no room", Zh: "无处调度"},
	"numbers-stalls":     {En: "stalls", Zh: "停滞"},
	"numbers-current":    {En: "now", Zh: "当前取值"},
	"numbers-front":      {En: "nothing else is faster, safer and smaller", Zh: "没有更快、更稳且更省的取值"},
	"numbers-impossible": {En: "does not complete", Zh: "无法完成"},
	"numbers-progress":   {En: "%d of %d runs", Zh: "已运行 %d 次，共 %d 次"},
	"numbers-stopped":    {En: "Stopped after %d of %d runs", Zh: "已停止：运行了 %d 次，共 %d 次"},
	"numbers-follow":     {En: "Open this run", Zh: "打开这次运行"},
	"numbers-follow-is":  {En: "Look at the run of this cell", Zh: "查看这一格的运行过程"},
	"numbers-seeds":      {En: "Vary the seed", Zh: "更换随机种子"},
	"numbers-seeds-is":   {En: "Play the update of this cell with 100 seeds: pulls, starts and stops take other times", Zh: "用 100 个随机种子运行这一格的更新：拉取、启动和停止的用时各不相同"},
	"numbers-chance":     {En: "%d seeds: %s", Zh: "%d 个随机种子：%s"},
	"numbers-fan":        {En: "Over time: total above, available pods below. Bands hold 90% of the seeds, lines are the median. Numbers: 5th, 50th and 95th percentile.", Zh: "随时间变化：上为 Pod 总数，下为可用 Pod 数。色带包含 90% 的种子，线为中位数。数字依次为第 5、50、95 百分位。"},
	"numbers-failed":     {En: "%d of them do not complete", Zh: "其中 %d 个无法完成"},
	"numbers-worst":      {En: "Open the worst seed", Zh: "打开最差的种子"},
	"numbers-worst-is":   {En: "Seed %d: look at its run", Zh: "种子 %d：查看它的运行过程"},
	"numbers-use":        {En: "Use these settings", Zh: "采用这些取值"},
	"numbers-use-is":     {En: "Write them into the manifest and play the same run from the start", Zh: "写入清单，并从头播放同样的运行"},
}
