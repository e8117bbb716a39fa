package lang

import "github.com/rollplay/rollplay/engine/scenario"

// Message is the key of a text in a catalogue.
type Message string

// Messages is the catalogue of the playground: all that the page itself says, in each of its languages, including labels for
// screen readers and what scripts write (scriptWords). A %s or %d stands for the same thing in all of them.
//
// What comes from Kubernetes stays English in every language, because people look for it in those words: events, the output
// of kubectl, errors of the API server, conditions with their reasons, the names of kinds and fields, also where they are cut
// to fit a strip. What the engine found wrong with a text or a link stays English, too, because it quotes them in every sentence.
// Its records, explanations, judgements and diagnoses are in a list of their own (Lang.Engine). The texts of a lesson are in the
// scenario that they belong to. Chinese has the words of the lessons.
var Messages = together(frameMessages, panelMessages, saidMessages, limitMessages, numbersMessages, pictureMessages, branchMessages)

// together joins the parts of a catalogue.
func together(parts ...map[Message]scenario.Text) map[Message]scenario.Text {
	all := map[Message]scenario.Text{}
	for _, part := range parts {
		for key, text := range part {
			all[key] = text
		}
	}
	return all
}

// frameMessages are around the run: header, transport, controls, editor, dialogs and lessons.
var frameMessages = map[Message]scenario.Text{
	// The page and its header.
	"skip":                   {En: "Skip to the chart", Zh: "跳到图表"},
	"rollout":                {En: "Rollout", Zh: "上线过程"},
	"scenario":               {En: "Scenario", Zh: "场景"},
	"own-scenario":           {En: "Your own scenario", Zh: "你自己的场景"},
	"undo":                   {En: "Undo the last action (u)", Zh: "撤销上一步操作 (u)"},
	"redo":                   {En: "Redo (r)", Zh: "重做 (r)"},
	"restart":                {En: "Restart from zero with the text of the editor", Zh: "用编辑器中的文本从零开始"},
	"theme":                  {En: "Theme: %s. Press for %s", Zh: "主题：%s。点击切换为%s"},
	"theme-system":           {En: "system", Zh: "跟随系统"},
	"theme-light":            {En: "light", Zh: "浅色"},
	"theme-dark":             {En: "dark", Zh: "深色"},
	"language":               {En: "Show this page in Chinese", Zh: "用英文显示本页"},
	"gallery":                {En: "Gallery", Zh: "场景库"},
	"gallery-title":          {En: "All scenarios, with pictures and a search", Zh: "全部场景，配图并可搜索"},
	"version-title":          {En: "Version of Kubernetes", Zh: "Kubernetes 版本"},
	"version-note":           {En: "The same run, as this version of Kubernetes would do it. It is written into the scenario.", Zh: "同一次运行，按所选 Kubernetes 版本的行为计算。版本会写入场景。"},
	"version-set":            {En: "Simulating Kubernetes %s.", Zh: "现在模拟 Kubernetes %s。"},
	"version-36-sts":         {En: "and older: a StatefulSet ignores maxUnavailable", Zh: "及更早：StatefulSet 忽略 maxUnavailable"},
	"version-36-events":      {En: "and older: kubelet events have other words", Zh: "及更早：kubelet 事件的措辞不同"},
	"version-34-terminating": {En: "and older: terminatingReplicas is not counted", Zh: "及更早：不统计 terminatingReplicas"},
	"version-34-image":       {En: "and older: the event about an image on the node is shorter", Zh: "及更早：关于节点上已有镜像的事件更短"},
	"share":                  {En: "Share", Zh: "分享"},
	"share-title":            {En: "Share this run with a link", Zh: "用链接分享这次运行"},
	"fidelity":               {En: "How accurate is this?", Zh: "它有多准确？"},
	"help":                   {En: "Help and keys (?)", Zh: "帮助和快捷键 (?)"},
	"close":                  {En: "Close", Zh: "关闭"},
	"close-esc":              {En: "Close (Esc)", Zh: "关闭 (Esc)"},

	// The tabs at the lower right.
	"details":      {En: "Details", Zh: "详情"},
	"tab-pods":     {En: "Pods", Zh: "Pod"},
	"tab-nodes":    {En: "Nodes", Zh: "节点"},
	"tab-log":      {En: "Log", Zh: "日志"},
	"tab-history":  {En: "History", Zh: "历史"},
	"log-all":      {En: "All", Zh: "全部"},
	"views":        {En: "What this tab shows", Zh: "本标签页的内容"},
	"pane-code":    {En: "Code", Zh: "代码"},
	"pane-code-is": {En: "The manifest and the scenario (/)", Zh: "清单和场景 (/)"},
	"pane-why":     {En: "Why", Zh: "为什么"},
	"pane-why-is":  {En: "The rule, the sum and the cause of what the cursor shows", Zh: "光标处状态的规则、算式和原因"},
	"tab-terminal": {En: "kubectl", Zh: "kubectl"},
	"tab-tables":   {En: "Tables", Zh: "表格"},
	"tab-events":   {En: "Events", Zh: "事件"},
	"tab-records":  {En: "Decisions", Zh: "决策"},
	"tab-queues":   {En: "Work queues", Zh: "工作队列"},
	"tab-timeline": {En: "Timeline", Zh: "时间线"},

	// The transport.
	"time":           {En: "Time", Zh: "时间"},
	"to-start":       {En: "To the start (Home)", Zh: "回到开头 (Home)"},
	"to-end":         {En: "To the end (End)", Zh: "跳到结尾 (End)"},
	"moment-back":    {En: "Previous moment of interest (Shift and left arrow)", Zh: "上一个关键时刻 (Shift 加左箭头)"},
	"moment-on":      {En: "Next moment of interest (Shift and right arrow)", Zh: "下一个关键时刻 (Shift 加右箭头)"},
	"step-back":      {En: "Previous %s (left arrow)", Zh: "上一个%s (左箭头)"},
	"step-on":        {En: "Next %s (right arrow)", Zh: "下一个%s (右箭头)"},
	"step-by":        {En: "Step by", Zh: "步进单位"},
	"step-by-title":  {En: "What one step covers", Zh: "每一步跨过什么"},
	"unit-reconcile": {En: "reconcile", Zh: "调谐"},
	"unit-event":     {En: "event", Zh: "事件"},
	"unit-second":    {En: "second", Zh: "整秒"},
	"unit-moment":    {En: "moment", Zh: "关键时刻"},
	"run-time":       {En: "Time in the run", Zh: "运行中的时间"},
	"speed":          {En: "Speed", Zh: "速度"},
	"speed-title":    {En: "Speed (+ and -)", Zh: "速度 (+ 和 -)"},
	"loop-none":      {En: "Loop a section: set its start here (l)", Zh: "循环播放一段：从这里开始 (l)"},
	"loop-half":      {En: "Set the end of the loop here (l)", Zh: "循环到这里结束 (l)"},
	"loop-on":        {En: "Remove the loop (l)", Zh: "取消循环 (l)"},
	"play":           {En: "Play (space)", Zh: "播放 (空格)"},
	"pause":          {En: "Pause (space)", Zh: "暂停 (空格)"},
	"play-calm":      {En: "Step: you asked for less motion (space)", Zh: "步进：你设置了减少动态效果 (空格)"},
	"computing":      {En: "computing, so far %d s", Zh: "正在计算，已到 %d 秒"},
	"said-playing":   {En: "Playing.", Zh: "正在播放。"},
	"said-paused":    {En: "Paused at %s.", Zh: "已暂停在 %s。"},
	"said-speed":     {En: "Speed %s.", Zh: "速度 %s。"},
	"said-start":     {En: "At the start.", Zh: "已到开头。"},
	"said-end":       {En: "At the end.", Zh: "已到结尾。"},
	"said-finished":  {En: "The end: %s.", Zh: "结束：%s。"},

	// The controls.
	"change":            {En: "Change the workload", Zh: "更改工作负载"},
	"workload":          {En: "Workload", Zh: "工作负载"},
	"container":         {En: "Container", Zh: "容器"},
	"image":             {En: "Image", Zh: "镜像"},
	"roll-out":          {En: "Roll out", Zh: "上线"},
	"set":               {En: "Set", Zh: "设置"},
	"image-tag":         {En: "Tag of the new image", Zh: "新镜像的标签"},
	"scale-value":       {En: "replicas", Zh: "副本数"},
	"surge-value":       {En: "surge", Zh: "最多多出"},
	"unavailable-value": {En: "unavailable", Zh: "最多不可用"},
	"more":              {En: "More: restart, pause, undo, minReadySeconds", Zh: "更多：重启、暂停、回滚、minReadySeconds"},
	"branch-here":       {En: "from here: a new branch", Zh: "从这里开始新的分支"},
	"break":             {En: "Break…", Zh: "弄坏…"},
	"break-is":          {En: "What can go wrong, and what it writes", Zh: "可能出的问题，以及会写入什么"},
	"break-pull":        {En: "The image cannot be pulled", Zh: "镜像拉取失败"},
	"break-crash":       {En: "It crashes again and again", Zh: "反复崩溃"},
	"break-ready":       {En: "It never becomes ready", Zh: "永远不就绪"},
	"break-start":       {En: "It starts slowly", Zh: "启动缓慢"},
	"break-stop":        {En: "It stops slowly (seen when it is replaced)", Zh: "停止缓慢（被替换时可见）"},
	"break-node":        {En: "A node dies", Zh: "一个节点宕机"},
	"break-room":        {En: "No node has room for the new pods", Zh: "没有节点容得下新 Pod"},
	"break-quota":       {En: "The quota is used up", Zh: "配额已用完"},
	"break-budget":      {En: "A budget blocks a drain", Zh: "PDB 阻止腾空节点"},
	"rollout-restart":   {En: "Restart", Zh: "重启"},
	"rollout-pause":     {En: "Pause rollout", Zh: "暂停上线"},
	"rollout-resume":    {En: "Resume rollout", Zh: "恢复上线"},
	"rollout-undo":      {En: "Undo rollout", Zh: "回滚"},
	"partition-is":      {En: "the update affects the pods with this ordinal and above", Zh: "更新只涉及序号不小于它的 Pod"},

	// The editor.
	"apply":        {En: "Apply", Zh: "应用"},
	"apply-here":   {En: "Applies the objects at the cursor, as kubectl apply -f would (Ctrl or Cmd with Enter)", Zh: "在光标处应用这些对象，与 kubectl apply -f 相同 (Ctrl 或 Cmd 加回车)"},
	"apply-start":  {En: "Starts with this text (Ctrl or Cmd with Enter)", Zh: "用这段文本开始 (Ctrl 或 Cmd 加回车)"},
	"problems":     {En: "Problems in the text", Zh: "文本中的问题"},
	"text-empty":   {En: "empty", Zh: "空"},
	"text-bad":     {En: "errors: %d; the run shows the last valid text", Zh: "错误：%d；运行的仍是上一份正确的文本"},
	"text-dirty":   {En: "not applied yet", Zh: "尚未应用"},
	"change-new":   {En: "new: %s", Zh: "新建：%s"},
	"drop-replace": {En: "Replace the text with %s?", Zh: "用 %s 替换现有文本？"},
	"replay":       {En: "Replay", Zh: "重放"},
	"replay-is":    {En: "Starts from zero with this text", Zh: "用这段文本从零开始"},
	"left-out-one": {En: "1 note", Zh: "1 条提示"},
	"left-out":     {En: "%d notes: what of this text is not simulated", Zh: "%d 条提示：文本中未模拟的部分"},
	"editor-label": {En: "Scenario in YAML", Zh: "YAML 写的场景"},
	"line":         {En: "line %d", Zh: "第 %d 行"},
	"goto-error":   {En: "error: go to line %d", Zh: "错误：跳到第 %d 行"},
	"goto-warning": {En: "warning: go to line %d", Zh: "警告：跳到第 %d 行"},
	"text-clean":   {En: "in step with the run", Zh: "与运行一致"},
	"restart-text": {En: "Restart with this text", Zh: "用这段文本重新开始"},
	"welcome":      {En: "Paste a Deployment here: its YAML alone is a scenario. Or begin with one of these:", Zh: "把 Deployment 粘贴到这里：仅它的 YAML 就是一个场景。也可以从下面的场景开始："},

	// What CodeMirror says in the editor. In English these are its own phrases; a $ stands for a number.
	"cm-find":          {En: "Find", Zh: "查找"},
	"cm-replace-with":  {En: "Replace", Zh: "替换为"},
	"cm-next":          {En: "next", Zh: "下一个"},
	"cm-previous":      {En: "previous", Zh: "上一个"},
	"cm-all":           {En: "all", Zh: "全选"},
	"cm-case":          {En: "match case", Zh: "区分大小写"},
	"cm-regexp":        {En: "regexp", Zh: "正则表达式"},
	"cm-word":          {En: "by word", Zh: "全词匹配"},
	"cm-replace":       {En: "replace", Zh: "替换"},
	"cm-replace-all":   {En: "replace all", Zh: "全部替换"},
	"cm-close":         {En: "close", Zh: "关闭"},
	"cm-match":         {En: "current match", Zh: "当前匹配"},
	"cm-on-line":       {En: "on line", Zh: "行号"},
	"cm-replaced":      {En: "replaced $ matches", Zh: "已替换 $ 处"},
	"cm-replaced-line": {En: "replaced match on line $", Zh: "已替换第 $ 行的匹配"},
	"cm-goto":          {En: "Go to line", Zh: "跳到行"},
	"cm-go":            {En: "go", Zh: "跳转"},
	"cm-problems":      {En: "Diagnostics", Zh: "问题"},
	"cm-no-problems":   {En: "No diagnostics", Zh: "没有问题"},
	"cm-completions":   {En: "Completions", Zh: "补全"},
	"cm-deleted":       {En: "Selection deleted", Zh: "已删除选中内容"},

	// The dialog that shares a run.
	"share-heading":  {En: "Share this run", Zh: "分享这次运行"},
	"share-lead":     {En: "The link holds the text and all commands. Nothing is stored anywhere else: anyone with the link can open this run.", Zh: "链接里包含文本和全部命令，别处什么也不保存：任何人都可用此链接打开这次运行。"},
	"share-moment":   {En: "at this moment, %s", Zh: "停在这一刻 %s"},
	"share-view":     {En: "with speed, loop, tab and theme", Zh: "包含速度、循环、标签页和主题"},
	"share-link":     {En: "Link", Zh: "链接"},
	"share-chars":    {En: "%d characters.", Zh: "%d 个字符。"},
	"share-long":     {En: "Some programs cut links of more than %d characters. The text makes up %d %% of this one, the commands %d %%.", Zh: "有些程序会截断超过 %d 个字符的链接。这个链接中文本占 %d %%，命令占 %d %%。"},
	"share-code":     {En: "QR code of the link", Zh: "链接的二维码"},
	"share-phone":    {En: "For a phone, or a slide.", Zh: "供手机扫描，或放进幻灯片。"},
	"share-no-code":  {En: "Too long for a phone to scan: the link has more than %d characters.", Zh: "链接超过 %d 个字符，手机无法扫描它的二维码。"},
	"share-none":     {En: "No link: %s.", Zh: "没有链接：%s。"},
	"share-untitled": {En: "A Kubernetes rollout", Zh: "一次 Kubernetes 上线"},
	"share-iframe":   {En: "Embedded in a page", Zh: "嵌入网页"},
	"copy":           {En: "Copy", Zh: "复制"},
	"copy-what":      {En: "Copy: %s", Zh: "复制：%s"},
	"copy-done":      {En: "Copied", Zh: "已复制"},
	"copied":         {En: "Copied.", Zh: "已复制。"},
	"copy-refused":   {En: "The browser does not let this page copy. The text is selected: copy it with the keyboard.", Zh: "浏览器不允许本页复制。文本已选中，请用键盘复制。"},

	// Help, and its keys.
	"help-heading":  {En: "How this works", Zh: "使用说明"},
	"help-text":     {En: "The text in the drawer Code is a scenario: a Deployment, and what happens to it. rollplay works out in your browser what the Kubernetes controllers would do, and plays it. Nothing leaves this page.", Zh: "“代码”抽屉里的文本是一个场景：一个 Deployment，以及发生在它身上的事。rollplay 在你的浏览器里算出 Kubernetes 控制器会怎么做，并播放出来。任何数据都不会离开本页。"},
	"help-controls": {En: "Every control below the chart runs a kubectl command at the moment the cursor shows. Move the cursor back and act there, and the run branches from there; undo brings the earlier run back, and History lists all the runs you left.", Zh: "图表下方的每个控件都会在光标所示的时刻执行一条 kubectl 命令。把光标移回去再操作，运行就从那里产生分支；撤销可以找回之前的运行，“历史”列出你离开过的所有运行。"},
	"help-share":    {En: "Share gives you a link that holds the text, all commands and, if you like, this very moment. Whoever opens it, now or later, sees the same run.", Zh: "“分享”给出一个链接，包含文本、全部命令，还可以包含此刻的位置。任何人、任何时候打开它，看到的都是同一次运行。"},
	"help-bands":    {En: "The orange band shows how many pods above the desired number are allowed (maxSurge), the blue one how many below it may be unavailable (maxUnavailable).", Zh: "橙色带表示允许比期望多出几个 Pod（maxSurge），蓝色带表示允许几个 Pod 不可用（maxUnavailable）。"},
	"licenses":      {En: "Licenses", Zh: "许可证"},
	"help-start":    {En: "Show the three ways to begin", Zh: "显示三种开始方式"},
	"key-toggle":    {En: "play or pause", Zh: "播放或暂停"},
	"key-step":      {En: "one step: a reconcile, or what you chose", Zh: "走一步：一次调谐，或你选择的单位"},
	"key-moment":    {En: "previous, next moment of interest", Zh: "到上一个、下一个关键时刻"},
	"key-second":    {En: "previous, next whole second", Zh: "到上一个、下一个整秒"},
	"key-ends":      {En: "start, end of the run", Zh: "运行的开头、结尾"},
	"key-loop":      {En: "loop: set its start, set its end, remove it", Zh: "循环：起点、终点、取消"},
	"key-lesson":    {En: "lesson: previous, next caption", Zh: "课程：上一段、下一段"},
	"key-speed":     {En: "faster, slower", Zh: "加快、减慢"},
	"key-apply":     {En: "apply the editor's text (Cmd on a Mac)", Zh: "应用编辑器中的文本（Mac 上用 Cmd）"},
	"key-editor":    {En: "go to the editor; Tab leaves it", Zh: "进入编辑器；按 Tab 离开"},
	"key-prompt":    {En: "go to the kubectl prompt; the second key also works in the editor", Zh: "到 kubectl 命令行，后一个在编辑器里也可用"},
	"key-undo":      {En: "undo, redo the last action", Zh: "撤销、重做上一步操作"},
	"key-help":      {En: "this help", Zh: "本帮助"},

	// The path through the lessons.
	"chapter-basics":  {En: "1 What is a rollout", Zh: "1 什么是上线"},
	"chapter-time":    {En: "2 Readiness and time", Zh: "2 就绪与时间"},
	"chapter-stuck":   {En: "3 Stuck rollouts", Zh: "3 卡住的上线"},
	"chapter-changes": {En: "4 Changes and history", Zh: "4 变更与历史"},
	"chapter-sets":    {En: "5 Stateful and per-node sets", Zh: "5 StatefulSet 与 DaemonSet"},
	"chapter-nodes":   {En: "6 Nodes and disruption", Zh: "6 节点与干扰"},

	// Lessons.
	"lesson":             {En: "Lesson", Zh: "课程"},
	"lesson-count":       {En: "%d of %d", Zh: "第 %d 段，共 %d 段"},
	"lesson-back":        {En: "Back", Zh: "上一段"},
	"lesson-on":          {En: "Next", Zh: "下一段"},
	"lesson-back-to":     {En: "Previous caption (b)", Zh: "上一段 (b)"},
	"lesson-on-to":       {En: "Next caption (n)", Zh: "下一段 (n)"},
	"lesson-continue":    {En: "Continue", Zh: "继续"},
	"lesson-continue-is": {En: "Play on to the next caption (space)", Zh: "继续播放到下一段说明（空格键）"},
	"lesson-stops":       {En: "stop at captions", Zh: "在说明处停下"},
	"lesson-stops-is":    {En: "Playing stops at each caption until you continue", Zh: "播放到每段说明时停下，等你继续"},
	"hurry":              {En: "Skip idle time", Zh: "跳过空闲时间"},
	"hurry-is":           {En: "Skip idle time: where nothing happens, playing goes faster", Zh: "跳过空闲时间：没有变化时加快播放"},
	"lesson-begin":       {En: "Press Next to go through this run step by step, or watch it play.", Zh: "按“下一段”逐步学习，或者直接看它播放。"},
	"lesson-free":        {En: "Free play: change a value in the text, or use the controls, and see what happens.", Zh: "自由尝试：改一改文本里的值，或者用控件操作，看看结果如何。"},
	"lesson-next":        {En: "Next lesson: %s", Zh: "下一课：%s"},
	"lesson-links":       {En: "Why people ask:", Zh: "延伸阅读："},
	"lesson-yours":       {En: "This run is yours from here: you ran a command, so the captions no longer apply.", Zh: "从这里起，这次运行由你掌控：你执行过命令，课程的说明不再适用。"},
	"lesson-edited":      {En: "You edited the lesson's text, so its captions no longer apply.", Zh: "你修改了课程的文本，课程的说明不再适用。"},
	"lesson-again":       {En: "Start the lesson again", Zh: "重新开始这一课"},

	// The first visit.
	"start":          {En: "See what Kubernetes does to your pods, and why.", Zh: "看看 Kubernetes 对你的 Pod 做了什么，以及为什么。"},
	"start-show":     {En: "Watch a rollout", Zh: "观看一次上线"},
	"start-show-it":  {En: "A first rolling update, explained step by step.", Zh: "第一次滚动更新，一步一步讲解。"},
	"start-break":    {En: "Break it", Zh: "弄坏它"},
	"start-break-it": {En: "An image that can't be pulled: see what gets stuck, then fix it.", Zh: "一个拉取不到的镜像：看看什么会卡住，再修好它。"},
	"start-own":      {En: "Use my YAML", Zh: "用我的 YAML"},
	"start-own-it":   {En: "Your Deployment's YAML is all it takes. It stays in your browser.", Zh: "只需要你的 Deployment 的 YAML。它不会离开你的浏览器。"},
}
