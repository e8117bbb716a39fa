package scenarios

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// kubectlRollout are commands and output, in which "rollout" is no word of ours.
var kubectlRollout = regexp.MustCompile(`(?i)rollout (status|restart|undo|pause|resume|history)|successfully rolled out|rollout history found`)

// wrongTerm returns what is wrong with the Chinese words for a rollout. As in the documentation of Kubernetes, 上线 is a rollout and
// 滚动更新 a rolling update, so each needs its English word. 更新 alone may stand for either.
func wrongTerm(text scenario.Text) string {
	en := strings.ToLower(kubectlRollout.ReplaceAllString(text.En, ""))
	rollout := regexp.MustCompile(`roll-?out|roll(s|ed|ing)? out|rollover`).MatchString(en)
	rolling := strings.Contains(en, "rolling update") || strings.Contains(en, "rollingupdate")
	switch {
	case strings.Contains(text.Zh, "滚动更新") && !rolling:
		return "滚动更新 is a rolling update; a rollout is 上线"
	case strings.Contains(text.Zh, "上线") && !rollout:
		return "上线 is a rollout, which the English text does not have"
	case strings.Contains(en, "mid-rollout") && !strings.Contains(text.Zh, "上线"):
		return "a rollout is 上线"
	}
	for _, banned := range []string{"触发更新", "卡住的更新", "未准备好", "控制平面管理", "同步"} {
		if strings.Contains(text.Zh, banned) {
			return "banned: " + banned
		}
	}
	return ""
}

// TestTerms: one Chinese word for a rollout, in all lessons.
func TestTerms(t *testing.T) {
	seen := 0
	for _, name := range Names() {
		sc, _ := scenario.Parse(Text(name))
		all := said(sc)
		all["lesson"] = sc.Lesson
		for _, text := range all {
			if wrong := wrongTerm(text); wrong != "" {
				t.Errorf("%s: %s: %q, %q", name, wrong, text.Zh, text.En)
			}
			seen += strings.Count(text.Zh, "上线")
		}
	}
	if seen < 100 {
		t.Errorf("only %d rollouts were seen: this test has become blind", seen)
	}
	for _, mutation := range []scenario.Text{
		{En: "The rollout waits", Zh: "滚动更新在等"}, {En: "1.28 goes live", Zh: "1.28 上线"}, {En: "kubectl rollout undo", Zh: "撤销上线"},
		{En: "Deleted in mid-rollout", Zh: "更新途中删除"}, {En: "It starts a rollout", Zh: "触发更新"}, {En: "the first sync", Zh: "第一次同步"},
	} {
		if wrongTerm(mutation) == "" {
			t.Errorf("nothing is wrong with %+v", mutation)
		}
	}
}
