package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestTilesInSight: of thousands of pods only those in sight have a tile. Scrolling brings others, and arrows reach them.
func TestTilesInSight(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.replaceText(deployment("2000"))
	p.click("apply")
	p.wait("the run", "rollplay.state().runs > 1")
	eval[bool](p, "(rollplay.seek(3600000), true)")
	p.wait("the end", "rollplay.state().done && !rollplay.state().busy")
	const tiles, box = `document.querySelectorAll(".pod-tiles .pod-tile")`, `document.querySelector(".pod-box")`
	p.wait("2,000 pods in the legend", `document.querySelector(".pod-legend-item:not(.none) b").textContent === "2000"`)
	p.wait("tiles", tiles+`.length > 100`)
	if n := eval[int](p, tiles+".length"); n > 1000 {
		t.Errorf("%d tiles for what is in sight", n)
	}
	p.wait("the last pod in sight", "(() => { "+box+".scrollTop = 1e6; const last = [..."+tiles+"].at(-1).getBoundingClientRect(), frame = "+box+".getBoundingClientRect(); return last.top >= frame.top && last.bottom <= frame.bottom + 4; })()")
	height := eval[float64](p, `new Promise((done) => { // once the page around it has its size
		let height = 0, same = 0;
		const look = () => {
			const now = `+box+`.scrollHeight;
			same = now === height ? same + 1 : 0;
			height = now;
			if (same < 20) requestAnimationFrame(look);
			else done(height);
		};
		look();
	})`)
	p.wait("the first pod in sight", "(() => { "+box+".scrollTop = 0; return "+tiles+"[0].getBoundingClientRect().top >= "+box+".getBoundingClientRect().top; })()")
	if now := eval[float64](p, box+".scrollHeight"); now != height {
		t.Errorf("the box is %.0f px high with its last tiles, and %.0f px with its first ones", height, now)
	}
	eval[bool](p, "("+tiles+"[40].focus(), true)")
	at := eval[string](p, "document.activeElement.dataset.key")
	for range 8 {
		p.keys(kb.ArrowDown)
	}
	p.wait("the focus on another tile in sight", `document.activeElement.matches(".pod-tile[data-state=available]") && document.activeElement.dataset.key !== `+quote(at))
}
