package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// phrase is an entry of the list.
type phrase struct{ en, zh string }

func phrasesOf(t *testing.T) (list []phrase) {
	t.Helper()
	en := ""
	for i, line := range strings.Split(strings.TrimSuffix(List(EngineFile), "\n"), "\n") {
		zh, isZh := strings.CutPrefix(line, "\t")
		switch {
		case isZh && en == "", !isZh && en != "":
			t.Fatalf("line %d of engine.zh.txt is out of order: %q", i+1, line)
		case isZh:
			list = append(list, phrase{en, zh})
			en = ""
		case line != "" && line[0] != '#':
			en = line
		}
	}
	return list
}

var (
	placeOf     = regexp.MustCompile(`%[dwst%]`)
	placeTaken  = regexp.MustCompile(`%[1-9]`)
	latinWord   = regexp.MustCompile(`[A-Za-z][A-Za-z.-]*`)
	chineseText = regexp.MustCompile(`\p{Han}`)
)

// kubernetesWords stay as they are in Chinese: kinds, fields, conditions, and names that people look for.
var kubernetesWords = strings.Fields(`Pod Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision PodDisruptionBudget PDB PVC
	HorizontalPodAutoscaler ConfigMap ReplicaSet CPU cpu UID replicas nodes count Node Scenario spec Init Finalizer kubelet kubectl drain apply watch latest round ceil s m
	Recreate OnDelete OrderedReady Parallel Never AlwaysAllow NoExecute Pending Ready True False Unknown Progressing DisruptionTarget
	ProgressDeadlineExceeded maxSurge maxUnavailable minAvailable minReadySeconds publishNotReadyAddresses maxReplicas minReplicas progressDeadlineSeconds
	imagePullPolicy partition tolerationSeconds podReplacementPolicy KEP- spec.replicas spec.unschedulable status.currentReplicas
	successThreshold failureThreshold whenDeleted whenScaled rollingUpdate collisionCount disruptionsAllowed pod-deletion-cost
	unhealthyPodEvictionPolicy Service EndpointSlice ready serving kube-proxy preStop SIGTERM terminationGracePeriodSeconds kube-controller-manager kube-api-qps kube-api-burst`)

// TestEngineList: each entry has a translation that takes all numbers and parts of the sentence, and is Chinese but for
// Kubernetes' own words.
func TestEngineList(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range phrasesOf(t) {
		if seen[p.en] {
			t.Errorf("%q is there twice", p.en)
		}
		seen[p.en] = true
		var kinds []byte
		for _, place := range placeOf.FindAllString(p.en, -1) {
			if place != "%%" {
				kinds = append(kinds, place[1])
			}
		}
		if len(kinds) > placesMax {
			t.Errorf("%q has more places than a sentence may have", p.en)
		}
		p.zh = strings.ReplaceAll(p.zh, `\n`, " ")
		var taken []int
		for _, place := range placeTaken.FindAllString(p.zh, -1) {
			taken = append(taken, int(place[1]-'1'))
		}
		for i, kind := range kinds {
			if !slices.Contains(taken, i) && kind != 'w' { // verbs: is, are
				t.Errorf("%q leaves out place %d of %q", p.zh, i+1, p.en)
			}
		}
		if len(taken) > 0 && slices.Max(taken) >= len(kinds) {
			t.Errorf("%q has a place that %q does not have", p.zh, p.en)
		}
		text := regexp.MustCompile(`\([A-Z]+-\d+[^)]*\)|Deployment is (paused|resumed)|\d[ms]\d*s?`).ReplaceAllString(placeTaken.ReplaceAllString(p.zh, ""), "")
		for _, word := range latinWord.FindAllString(text, -1) {
			if !slices.Contains(kubernetesWords, word) {
				t.Errorf("%q has the English word %q", p.zh, word)
			}
		}
		if !chineseText.MatchString(p.zh) && latinWord.MatchString(text) && !strings.HasPrefix(p.en, text) {
			t.Errorf("%q is not Chinese", p.zh)
		}
	}
}

// bare returns a template with its places alike, and without those at its ends.
func bare(template string) string {
	template = strings.ReplaceAll(template, `\n`, "\n")
	template = regexp.MustCompile(`%[dwstqv]`).ReplaceAllString(template, "\x00")
	template = regexp.MustCompile("\x00+").ReplaceAllString(strings.ReplaceAll(template, "%%", "%"), "\x00")
	return strings.Trim(template, "\x00 ")
}

// TestEngineIsTranslated reads the engine: the list has every template of a diagnosis or a judgement, and of what records and
// their explanations say.
func TestEngineIsTranslated(t *testing.T) {
	var list strings.Builder
	for _, p := range phrasesOf(t) {
		list.WriteString("\x01" + bare(p.en) + "\x01")
	}
	all, found := list.String(), 0
	for _, at := range said(t) {
		found++
		if !strings.Contains(all, bare(at.text)) {
			t.Errorf("%s: %q has no Chinese: add it to app/lang/engine.zh.txt", at.where, at.text)
		}
	}
	if found < 350 {
		t.Errorf("only %d templates were found: this test has become blind", found)
	}
}

// template is a text of the engine, with a place for each part that is not a constant.
type template struct{ where, text string }

// lineOf matches parts of kubectl lines and values in a manifest.
var lineOf = regexp.MustCompile(`^(rollout undo | --?[a-z]|\{[a-z])`)

// observers are the packages whose texts are all for people.
var observers = []string{"diagnosis", "judge", "traffic"}

// said lists the templates of the engine.
func said(t *testing.T) (all []template) {
	t.Helper()
	err := filepath.WalkDir("../../engine", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == "oracle" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		take := func(e ast.Expr) {
			if text, ok := constant(e); ok && !lineOf.MatchString(text) && strings.Contains(text, " ") && latinWord.MatchString(strings.ReplaceAll(text, "%s", "")) {
				all = append(all, template{set.Position(e.Pos()).String(), text})
			}
		}
		observer := slices.Contains(observers, filepath.Base(filepath.Dir(name)))
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.CallExpr:
				if observer {
					return !isCommand(n)
				}
				if i := saying(n); i >= 0 {
					take(n.Args[i])
				}
			case ast.Expr:
				if _, ok := constant(n); ok && observer {
					take(n)
					return false
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isCommand says that a call's texts are not shown as sentences: kubectl lines, or what is searched in Kubernetes' texts.
func isCommand(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, _ := f.X.(*ast.Ident)
	return f.Sel.Name == "command" || pkg != nil && pkg.Name == "strings" && f.Sel.Name != "Join"
}

// saying returns which argument of a call is a sentence of a record or of an explanation, -1 if there is none.
func saying(call *ast.CallExpr) int {
	name, pkg := "", ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if x, ok := f.X.(*ast.Ident); ok {
			pkg = x.Name
		}
	}
	switch n := len(call.Args); {
	case name == "Note" && pkg == "why" && n == 3:
		return 2
	case (name == "Noting" || name == "Branch" || name == "Idle") && n > 0:
		return 0
	case name == "Decide" && n >= 3:
		return n - 2
	case (name == "Create" || name == "Update" || name == "UpdateStatus") && n == 3, name == "lost" && n == 2, name == "add" && n == 2:
		return 1
	case name == "Delete" && n == 4, name == "put" && n == 3:
		return 2
	}
	return -1
}

// constant returns a text with a place for each of its parts that is not a constant; ok is false if no part is one.
func constant(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.CallExpr:
		if f, isSelector := e.Fun.(*ast.SelectorExpr); isSelector && f.Sel.Name == "Sprintf" {
			return constant(e.Args[0])
		}
	case *ast.BinaryExpr:
		left, hasLeft := constant(e.X)
		right, hasRight := constant(e.Y)
		if !hasLeft {
			left = "%s"
		}
		if !hasRight {
			right = "%s"
		}
		return left + right, e.Op == token.ADD && (hasLeft || hasRight)
	}
	return "", false
}

func TestEngineSentences(t *testing.T) {
	for en, zh := range map[string]string{
		"The rollout is stuck: the image cannot be pulled":                                                                  "上线受阻：镜像拉取失败",
		"The rollout is complete: 1 pod of revision 2 is available; it is paused":                                           "上线完成：修订版本 2 的 1 个 Pod 可用；已暂停",
		"2 pods of revision 2 wait for image nginx:1.161: ErrImagePull; the next attempt is in 10s at the earliest.":        "修订版本 2 的 2 个 Pod 在等待镜像 nginx:1.161：ErrImagePull；最早 10s 后重试。",
		"Both bounds hold: 12 pods of at most 13 = 10 + 3; 9 available of at least 8 = 10 − 2.":                             "上下限均满足：共 12 个 Pod，上限 13 = 10 + 3；可用 9 个，下限 8 = 10 − 2。",
		"1 pod of revision 2 fits no node: 0/3 nodes are available: 3 Insufficient cpu. preemption: no.":                    "没有节点能容纳修订版本 2 的 1 个 Pod：0/3 nodes are available: 3 Insufficient cpu. preemption: no.",
		"0s ago this was rejected: kubectl apply -f -\nerror: no":                                                           "0s 前，以下命令被拒绝：kubectl apply -f -\nerror: no",
		"rolling update, nothing to scale, changes nothing: the rollout is complete":                                        "滚动更新，无需扩缩，没有改动：上线完成",
		"fails: no metrics, first error is: x, changes nothing: the status already says so":                                 "失败：no metrics, first error is: x，没有改动：状态已说明这一点",
		"no old pod may be deleted yet: 1 of at most 1 unavailable: a's pod is not available, b has no pod":                 "还不能删除旧 Pod：不可用 1 个，最多 1 个：a 的 Pod 不可用、b 没有 Pod",
		"38% of a target of 80%: 5 without a metric count as 0%; 3 not ready count as 0%; that would reverse the direction": "38%，目标 80%：5 个没有指标的按 0% 计算；3 个未就绪的按 0% 计算；会使方向相反",
		"share = round(9 × 5 / 19) − 9 = -7, of -13 left to give":                                                           "份额 = round(9 × 5 / 19) − 9 = -7，待分配 -13",
		"The disruption budget zk does not allow evicting pods currently":                                                   "The disruption budget zk does not allow evicting pods currently", // of Kubernetes
		"The deployment was deleted; 3 of its pods are left.":                                                               "deployment 已被删除，还剩 3 个 Pod。",
		"": "",
	} {
		if got := Chinese.Engine(en); got != zh {
			t.Errorf("%q:\ngot  %q\nwant %q", en, got, zh)
		}
		if got := English.Engine(en); got != en {
			t.Errorf("%q is %q in English", en, got)
		}
	}
}

// TestEngineTakesNoTime: a text that can be taken apart in any number of ways is given up.
func TestEngineTakesNoTime(t *testing.T) {
	for _, text := range []string{strings.Repeat("creates pods, ", 140), strings.Repeat("a. b; c, ", 200), strings.Repeat("1 pod of ", 200) + "x",
		strings.Repeat("a: b (c); ", 199) + "once", strings.Repeat("a. b; c, ", 200_000)} {
		began := time.Now()
		Chinese.Engine(text)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%.20q… takes %v", text, took)
		}
	}
}

func TestDocs(t *testing.T) {
	for address, want := range map[string]string{
		"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#max-surge": "https://kubernetes.io/zh-cn/docs/concepts/workloads/controllers/deployment/#max-surge",
		"https://kubernetes.io/docs/tasks/run-application/configure-pdb/":                 "https://kubernetes.io/zh-cn/docs/tasks/run-application/configure-pdb/",
		"https://kubernetes.io/docs/reference/kubectl/":                                   "https://kubernetes.io/docs/reference/kubectl/",
		"https://github.com/kubernetes/kubernetes/issues/91714":                           "https://github.com/kubernetes/kubernetes/issues/91714",
		"https://example.org/?https://kubernetes.io/docs/tasks/":                          "https://example.org/?https://kubernetes.io/docs/tasks/",
	} {
		if got := Chinese.Docs(address); got != want {
			t.Errorf("%s leads to %s", address, got)
		}
		if got := English.Docs(address); got != address {
			t.Errorf("%s leads to %s in English", address, got)
		}
	}
}
