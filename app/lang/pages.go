package lang

import (
	"strings"

	"github.com/rollplay/rollplay/engine/scenario"
)

// pageMessages is the catalogue of the static pages: the gallery, and the page of each scenario. It is
// separate from the playground's, so that the program does not contain it.
var pageMessages = map[Message]scenario.Text{
	"site":           {En: "Site", Zh: "网站"},
	"scenarios":      {En: "Scenarios", Zh: "场景"},
	"all-scenarios":  {En: "All scenarios", Zh: "全部场景"},
	"other-language": {En: "中文", Zh: "English"},
	"gallery-lead":   {En: "Kubernetes rollouts to watch, play and change. Each one asks one real question and answers it with a short YAML.", Zh: "可以观看、播放和修改的 Kubernetes 上线过程。每个场景都是一个真实的问题，由一段简短的 YAML 回答。"},
	"gallery-og":     {En: "Scenarios of Kubernetes rollouts", Zh: "Kubernetes 上线过程的场景"},
	"search":         {En: "Search in the questions", Zh: "在问题中搜索"},
	"field":          {En: "About the field", Zh: "涉及的字段"},
	"any-field":      {En: "any field", Zh: "任意字段"},
	"found":          {En: "%d of %d scenarios", Zh: "%d 个场景，共 %d 个"},
	"found-none":     {En: "No scenario matches. Try fewer words, or any field.", Zh: "没有符合的场景。试试更少的词，或者任意字段。"},
	"minutes":        {En: "%d min", Zh: "%d 分钟"},
	"learned":        {En: "Finished", Zh: "已完成"},
	"before-this":    {En: "Before this", Zh: "先看"},
	"open":           {En: "Open in the playground", Zh: "在演练场中打开"},
	"about":          {En: "About", Zh: "涉及"},
	"why-ask":        {En: "Why people ask", Zh: "延伸阅读"},
	"steps":          {En: "What happens", Zh: "会发生什么"},
	"the-text":       {En: "The scenario", Zh: "场景文本"},
	"the-text-lead":  {En: "This text is the whole scenario. The playground runs it in your browser, and you can change every value there.", Zh: "全部内容就是这段文本。演练场在你的浏览器里运行它，其中每个值都可以修改。"},
	"licenses":       {En: "Licenses", Zh: "许可证"},
	"others":         {En: "Other scenarios", Zh: "其他场景"},

	// The embed, before its program runs.
	"embed-title":       {En: "A Kubernetes rollout", Zh: "一次 Kubernetes 上线"},
	"embed-play":        {En: "Play", Zh: "播放"},
	"embed-play-it":     {En: "Play: %s", Zh: "播放：%s"},
	"embed-copy":        {En: "This page can't open a window. Copy the link:", Zh: "本页不允许打开窗口。请复制链接："},
	"embed-loading":     {En: "Loading %d%", Zh: "正在加载 %d%"},
	"embed-no-scenario": {En: "There is no scenario named \"%s\".", Zh: "没有名为“%s”的场景。"},
	"embed-no-panel":    {En: "There is no panel named \"%s\".", Zh: "没有名为“%s”的面板。"},
	"embed-bad-link":    {En: "This link is damaged or incomplete.", Zh: "链接已损坏或不完整。"},
	"embed-starting":    {En: "Starting", Zh: "正在启动"},

	// The loader, of the playground and of the embed, when the program does not start.
	"load-reset":         {En: "Start over without what this browser keeps", Zh: "清除此浏览器保存的内容，重新开始"},
	"load-cannot":        {En: "rollplay cannot run here", Zh: "rollplay 无法在此运行"},
	"load-cannot-why":    {En: "This browser has no WebAssembly, or a policy has switched it off.", Zh: "此浏览器没有 WebAssembly，或被策略禁用。"},
	"load-missing":       {En: "one of the scripts is missing", Zh: "缺少一个脚本"},
	"load-failed":        {En: "rollplay could not be loaded", Zh: "rollplay 加载失败"},
	"load-failed-why":    {En: "%s. Please check the connection and reload the page.", Zh: "%s。请检查网络连接，然后重新加载页面。"},
	"load-stopped":       {En: "rollplay has stopped", Zh: "rollplay 已停止"},
	"load-stopped-why":   {En: "%s Reload the page to continue.", Zh: "%s 请重新加载页面以继续。"},
	"load-stopped-where": {En: "The browser's console says why.", Zh: "原因见浏览器的控制台。"},

	// Of the service worker, for a page that the browser has not kept.
	"offline":      {En: "You are offline", Zh: "你已离线"},
	"offline-text": {En: "This page is not kept in this browser, because it was not visited before. The playground and the pages that were visited work without a connection.", Zh: "此前没有访问过本页，因此浏览器没有保存它。演练场和访问过的页面无需网络即可使用。"},
	"offline-link": {En: "Open the playground", Zh: "打开演练场"},
}

// PageText is a message of the static pages, in the language of a tag.
func PageText(tag, key string, args ...any) string {
	catalogue := pageMessages
	if strings.HasPrefix(key, "chapter-") { // the playground lists them too
		catalogue = Messages
	}
	return say(catalogue, Of(tag), Message(key), args)
}
