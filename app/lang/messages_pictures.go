package lang

import "github.com/rollplay/rollplay/engine/scenario"

// pictureMessages are the words in pictures of a run, and what is said of taking a run along.
var pictureMessages = map[Message]scenario.Text{
	"poster-pods":        {En: "Pods of %s from %s to %s", Zh: "%s 的 Pod，从 %s 到 %s"},
	"poster-at":          {En: "At %s", Zh: "时刻 %s"},
	"poster-moment":      {En: "%s: %d desired, %s, %d available", Zh: "%s：期望 %d，%s，可用 %d"},
	"poster-terminating": {En: ", %d more terminating", Zh: "，另有 %d 个正在终止"},
	"poster-bounds":      {En: "The bounds are %s", Zh: "上下限：%s"},
	"poster-at-most":     {En: "at most %s (%d + %d surge)", Zh: "最多 %s（%d + %d）"},
	"poster-at-least":    {En: "at least %d available (%d − %d)", Zh: "至少 %d 个可用（%d − %d）"},
	"poster-and":         {En: ", ", Zh: "，"},
	"poster-revision":    {En: "Revision %d (%s) has %s", Zh: "修订版本 %d（%s）有 %s"},
	"poster-command":     {En: "At %s: %s", Zh: "%s 时：%s"},
	"poster-total":       {En: "total %d", Zh: "总数 %d"},
	"poster-available":   {En: "available %d", Zh: "可用 %d"},
	"poster-desired":     {En: "desired %d", Zh: "期望 %d"},
	"poster-leaving":     {En: "terminating %d", Zh: "终止中 %d"},
	"poster-stop":        {En: ". ", Zh: "。"},
	"picture-open":       {En: "Open this run in rollplay", Zh: "在 rollplay 中打开这次运行"},

	"take":          {En: "Take it along", Zh: "保存到本地"},
	"take-yaml":     {En: "YAML as written", Zh: "YAML 原文"},
	"take-now":      {En: "YAML at %s", Zh: "%s 时的 YAML"},
	"take-json":     {En: "Trace (JSON lines)", Zh: "执行轨迹 (JSON Lines)"},
	"take-svg":      {En: "Picture (SVG)", Zh: "图片 (SVG)"},
	"take-png":      {En: "Picture (PNG)", Zh: "图片 (PNG)"},
	"take-animated": {En: "Animated picture (SVG)", Zh: "动画 (SVG)"},
	"take-dark":     {En: "dark pictures", Zh: "深色图片"},
	"take-wait":     {En: "Available when the run is computed and has a workload", Zh: "运行计算完成且含有工作负载后可用"},
	"take-saved":    {En: "Saved %s.", Zh: "已保存 %s。"},
	"take-markdown": {En: "Markdown with a picture, next to %s", Zh: "带图片的 Markdown，图片为同目录下的 %s"},
}
