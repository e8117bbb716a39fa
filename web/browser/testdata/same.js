// Compares the player's picture with the program's chart on a page of the playground: TestSamePicture.
//
// Fonts, the sizes of the plots and the spans of their time axes differ, so both are drawn in the same plot first: the player's SVG is
// stretched until its virtual times and counts are where the chart has them. Then each pixel that has the colour of a line or a band in
// one picture must have a pixel of that colour within `near` in the other one. Dashes are drawn as solid lines. Texts, flags and tints of outages are left out.
CanvasRenderingContext2D.prototype.setLineDash = () => {};
window.same = (() => {
	const near = 2; // CSS px, in both directions
	const likeness = 3; // of 255, in each channel
	const few = 24; // pixels at corners
	// From below to above. With a tolerance for its place, a line may be hidden by any of those after it.
	const lines = ["lower", "desired", "upper", "total", "terminating", "available", "total-faint", "available-faint", "rs-0", "rs-1", "rs-2", "rs-3", "rs-4", "rs-5"];
	const areas = ["terminating-area", "surge-band", "unavailable-band"];
	const css = (name) => {
		const probe = document.body.appendChild(document.createElement("i"));
		probe.style.color = `var(--${name})`;
		const { color } = getComputedStyle(probe);
		probe.remove();
		return color;
	};

	function blank(width, height) {
		const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d", { willReadFrequently: true });
		pen.fillStyle = css("card");
		pen.fillRect(0, 0, width, height);
		return pen;
	}

	// colours are those that are looked for: of each line, and of each area on the card and on the bands.
	function colours() {
		const paint = (...layers) => {
			const pen = blank(1, 1);
			for (const name of layers) { pen.fillStyle = css("c-" + name); pen.fillRect(0, 0, 1, 1); }
			return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
		};
		const all = lines.map((name) => ({ name, rgb: paint(name) }));
		for (const under of ["", "surge-band", "unavailable-band"]) {
			for (const over of ["", "terminating-area"]) {
				const layers = [under, over].filter(Boolean);
				if (layers.length) all.push({ name: layers.join("+"), rgb: paint(...layers) });
			}
		}
		return all;
	}

	// classes has for each pixel the number of its colour, 0 for none. Half-covered pixels along a line may have any colour, but are no two
	// beside and above each other.
	function classes({ data, width }) {
		const rgb = new Uint32Array(data.buffer), found = new Uint8Array(rgb.length), seen = new Map();
		for (let i = 0, last = -1, c = 0; i < found.length; i++) {
			if (rgb[i] !== last) {
				last = rgb[i];
				c = seen.get(last) ?? classOf(data, 4 * i);
				seen.set(last, c);
			}
			found[i] = c;
		}
		const out = new Uint8Array(found.length);
		for (let i = 0; i + width + 1 < found.length; i++) {
			const c = found[i];
			if (c > 0 && c === found[i + 1] && c === found[i + width] && c === found[i + width + 1]) out[i] = out[i + 1] = out[i + width] = out[i + width + 1] = c;
		}
		return out;
	}

	function classOf(data, k) {
		let best = likeness + 1, found = 0;
		known.forEach(({ rgb }, n) => {
			const far = Math.max(...rgb.map((v, j) => Math.abs(v - data[k + j])));
			if (far < best) { best = far; found = n + 1; }
		});
		return found;
	}

	// lacking counts, for each colour, the pixels of a between two columns that b does not have nearby and could not hide.
	function lacking(a, b, from, to, reach) {
		const counts = {}, first = {};
		const isLine = (c) => c > 0 && c <= lines.length;
		const has = (c, x, y) => {
			for (let row = Math.max(y - reach.y, 0); row <= Math.min(y + reach.y, high - 1); row++) {
				for (let col = Math.max(x - reach.x, 0); col <= Math.min(x + reach.x, wide - 1); col++) {
					const there = b[row * wide + col];
					if (there === c || isLine(there) && (!isLine(c) || there > c)) return true;
				}
			}
			return false;
		};
		for (let y = 0; y < high; y++) {
			for (let x = from; x < to; x++) {
				const c = a[y * wide + x];
				if (c === 0 || b[y * wide + x] === c || has(c, x, y)) continue;
				counts[c] = (counts[c] ?? 0) + 1;
				first[c] ??= [x, y];
			}
		}
		return Object.entries(counts).filter(([, n]) => n > few).map(([c, n]) => ({ name: known[c - 1].name, n, at: first[c] }));
	}

	let host, svg, run, known, wide, high;

	// frame is the part of the player's SVG that is its plot, and what lies at its edges.
	const lidEdge = 1.5; // the line at its left end
	const frame = { left: 40, right: 702, top: 82, bottom: 304 };

	// breaks are faults that compare must notice.
	const breaks = {
		"a line one pod higher": (change) => change("c-total", (path) => path.setAttribute("transform", "translate(0 -11)")),
		"a line a quarter of a second later": (change) => change("c-available", (path) => path.setAttribute("transform", "translate(16 0)")),
		"another colour": (change) => change("c-available", (path) => { path.style.stroke = css("c-total"); }),
		"no band": (change) => change("c-surge-band", (path) => path.remove()),
		"a wrong count": (_, run) => { for (const c of run.counts) c[1]++; },
		"a wrong number in the legend": (_, run, texts) => { for (const t of texts) t.textContent = t.textContent.replace(/^total (\d+)$/, (_, n) => `total ${Number(n) + 1}`); },
		"another caption": (_, run) => { for (const c of run.captions) c.text += "!"; },
		"a late cover": (_, run) => { run.begin += 200; },
	};

	// broken is a picture with one of these faults.
	function broken(picture, fault) {
		if (!fault) return picture;
		const run = JSON.parse(picture.dataset.run);
		const change = (name, how) => {
			const wanted = css(name);
			const shadow = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(picture.dataset.css);
			shadow.adoptedStyleSheets = [sheet];
			shadow.append(picture);
			for (const path of picture.querySelectorAll("path")) {
				const { stroke, fill, fillOpacity } = getComputedStyle(path), area = fill.replace("rgb", "rgba").replace(")", `, ${fillOpacity})`);
				if (path.parentElement !== picture && [stroke, area].includes(wanted)) how(path); // not those of the legend
			}
			shadow.host.remove();
		};
		breaks[fault](change, run, picture.querySelectorAll("text"));
		picture.dataset.run = JSON.stringify(run);
		return picture;
	}

	// load opens the player of a scenario beside the page, perhaps with a fault.
	async function load(name, lang, fault) {
		document.getElementById("same")?.remove();
		const box = document.body.appendChild(Object.assign(document.createElement("div"), { id: "same" }));
		box.style.cssText = "position: fixed; top: 0; left: -2000px; width: 720px";
		const still = box.appendChild(document.createElement("span"));
		const words = { play: "play", pause: "pause", moment: "%s: %d %d", before: "before", after: "after", time: "time" };
		const picture = rollplayPlayer.fetch(`motions/${name}-${lang}.svg`).then((svg) => broken(svg, fault));
		await rollplayPlayer(still, box, picture, words, document.documentElement.dataset.theme ?? "");
		host = box.querySelector(".player-picture");
		svg = host.shadowRoot.querySelector("svg");
		run = JSON.parse(svg.dataset.run);
		known = colours();
		kept.of = "";
		const axis = [...svg.children].filter((e) => e.matches("text[text-anchor=end]")).map((e) => Number(e.textContent));
		run.high = Math.max(...axis);
		const places = [...svg.querySelectorAll("svg svg > path")].flatMap((e) => e.getAttribute("d").match(/(?<=[MH])[\d.]+/g) ?? []).map(Number).sort((x, y) => x - y);
		run.grain = Math.min(...places.slice(1).map((x, i) => x - places[i]).filter((far) => far > 0));
		return { begin: run.begin, end: run.end };
	}

	// reels are the texts that the player's picture shows: of its legend, then its caption.
	function reels() {
		return [...svg.querySelectorAll("svg > g[font-size]")].map((g) => {
			const height = Number(g.parentElement.getAttribute("height")), y = -new DOMMatrix(getComputedStyle(g).transform).f;
			return [...g.children].filter((t) => { const at = Number(t.getAttribute("y")); return at > y && at <= y + height; }).map((t) => t.textContent).join(" ").trim();
		});
	}

	function scrub(t) {
		const input = host.parentElement.querySelector("input");
		input.value = String(t);
		input.dispatchEvent(new Event("input", { bubbles: true }));
		return input.getAttribute("aria-valuetext").match(/\d+(\.\d+)?/g).map(Number);
	}

	// drawn is the player's plot as it is now, in the place and scale of the program's.
	async function drawn(span, top) {
		const copy = svg.cloneNode(true);
		const was = [svg, ...svg.querySelectorAll("*")], is = [copy, ...copy.querySelectorAll("*")];
		was.forEach((e, i) => {
			const { fill, fillOpacity, stroke, strokeOpacity, strokeWidth, transform } = getComputedStyle(e);
			// Lines keep their width. Dashes would begin elsewhere, so all lines are solid, in the chart too.
			Object.assign(is[i].style, { fill, fillOpacity, stroke, strokeOpacity, animation: "none", vectorEffect: "non-scaling-stroke",
				strokeWidth: parseFloat(strokeWidth) * devicePixelRatio + "px", strokeDasharray: "none" });
			if (e.matches(".lid")) is[i].style.transform = transform;
		});
		for (const e of is) if (e.matches("text, g[font-size], metadata") || left(e)) e.remove();
		// The plot's edges in units of the SVG where the program's plot begins and ends.
		const x = (t) => frame.left + (frame.right - frame.left) * (t - run.begin) / (run.end - run.begin);
		const y = (n) => frame.bottom - (frame.bottom - frame.top) * n / run.high;
		copy.setAttribute("viewBox", [x(span.from), y(top), x(span.to) - x(span.from), y(0) - y(top)].join(" "));
		copy.setAttribute("preserveAspectRatio", "none");
		copy.setAttribute("width", wide);
		copy.setAttribute("height", high);
		const image = new Image(wide, high);
		image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
		await image.decode();
		const pen = blank(wide, high);
		pen.drawImage(image, 0, 0, wide, high);
		return pen.getImageData(0, 0, wide, high);
	}

	// left says that a shape of the plot is a flag or the tint of an outage, which the program draws above its chart.
	function left(e) {
		if (!e.matches("path") || e.closest(".lid")) return false;
		const { fill, stroke } = e.style;
		return [fill, stroke].some((c) => [css("accent"), css("bad")].includes(c));
	}

	// chart is the program's plot.
	function chart() {
		const plot = document.querySelector(".plot").getBoundingClientRect(), canvas = document.querySelector(".chart-host canvas");
		const at = canvas.getBoundingClientRect(), scale = devicePixelRatio;
		wide = Math.round(plot.width * scale);
		high = Math.round(plot.height * scale);
		const pen = blank(wide, high);
		pen.drawImage(canvas, (plot.left - at.left) * scale, (plot.top - at.top) * scale, wide, high, 0, 0, wide, high);
		return pen.getImageData(0, 0, wide, high);
	}

	const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
	const settled = () => { const s = rollplay.state(); return s.done && !s.playing && !s.late && canonical(s) === drawnState(); };
	const drawnState = () => window.drawn;

	async function until(what, ready) {
		for (let n = 0; n < 600; n++) {
			if (ready()) return;
			await nextFrame();
		}
		throw new Error("waited for " + what);
	}

	// put moves the program's cursor. A question without an answer holds it: it is skipped.
	async function put(t) {
		for (let tries = 0; tries < 20; tries++) {
			rollplay.seek(t);
			await until(`the cursor at ${t}`, settled);
			if (rollplay.state().t === t) break;
			document.querySelector('[data-act="lesson-onwards"]')?.click();
			await nextFrame();
			if (rollplay.state().playing) document.querySelector('[data-act="play"]').click();
			await until("the pause", settled);
		}
		await nextFrame(); // the chart is drawn in a task of its own
		await nextFrame();
	}

	// charted is the program's plot, which is the same while its axes are.
	let kept = { of: "", all: null };
	function charted(span, top) {
		const of = JSON.stringify([span, top]);
		if (kept.of !== of) kept = { of, all: classes(chart()) };
		return kept.all;
	}

	// legend has the numbers at the program's cursor.
	function legend() {
		const all = [...document.querySelectorAll('[data-act="legend-item"]')].map((e) => [e.dataset.series, parseInt(e.querySelector(".legend-value").textContent, 10) || 0]);
		const revisions = all.filter(([id]) => id.startsWith("rs:")).map(([, n]) => n), counts = Object.fromEntries(all);
		return { counts: [counts.total, counts.available, counts.unavailable, counts.terminating], revisions };
	}

	// written are the numbers in the player's picture.
	function written() {
		const all = reels(), number = (text) => Number(text.match(/(\d+)$/)?.[1]);
		return { counts: all.slice(0, 4).map(number), revisions: all.filter((text) => text.startsWith("rev ")).map(number) };
	}

	// step is the time between two places of the grid on which the picture's numbers change: a pixel, or more where much happens.
	const step = () => Math.max(1, run.grain) * (run.end - run.begin) / (frame.right - frame.left);

	// brief says that the program's numbers are others a step before and a step after: the picture leaves out what lasts less.
	async function brief(t) {
		const now = JSON.stringify(legend()), around = [];
		for (const at of [t - step(), t + step()]) {
			await put(Math.round(at));
			around.push(JSON.stringify(legend()));
		}
		await put(t);
		return !around.includes(now);
	}

	// texts puts the player to where the program's cursor is, and says which words and numbers differ.
	function texts(t) {
		const bad = [], { counts, revisions } = legend(), box = host.parentElement;
		const around = [-2, -1, 1, 2, 0].map((n) => { scrub(Math.round(t + n * step())); return written(); });
		const same = (of, wanted) => around[0][of].every((_, i) => around.some((now) => now[of][i] === (wanted[i] ?? 0)));
		if (!same("counts", counts) || !same("revisions", revisions)) {
			scrub(t);
			bad.push(`the player's picture has ${JSON.stringify(written())}, the program ${JSON.stringify({ counts, revisions })}`);
		}
		const [, total, available] = scrub(t), at = Number(box.querySelector("input").value);
		if (total !== counts[0] || available !== counts[1]) bad.push(`the player says ${total} and ${available}, the program ${counts}`);
		if (rollplay.state().t !== t || Math.abs(at - t) > 10) bad.push(`the player is at ${at} ms, the program at ${rollplay.state().t}`);
		if (Math.abs(parseFloat(box.querySelector(".player-time").textContent) - at / 1000) > 0.06) bad.push(`the player writes ${box.querySelector(".player-time").textContent}`);
		const said = box.querySelector(".player-said").textContent, text = document.querySelector('[data-act="lesson-text"]')?.textContent ?? "";
		if (said && said !== text) bad.push(`the player says ${JSON.stringify(said)}, the program ${JSON.stringify(text)}`);
		const drawn = reels().at(-1), plain = (text) => text.replace(/\s/g, "");
		if (said && plain(drawn) !== plain(said)) bad.push(`the player's picture says ${JSON.stringify(drawn)}`);
		return bad;
	}

	// compare puts the player to where the program's cursor is, and says what differs.
	async function compare(t) {
		const bad = texts(t), span = rollplay.span(), option = await rollplay.chartOption();
		const top = [].concat(option.yAxis)[0].max;
		const a = charted(span, top), b = classes(await drawn(span, top));
		// Two pixels of the coarser picture.
		const finest = (mine, its) => Math.ceil(near * devicePixelRatio * Math.max(1, mine / devicePixelRatio / its));
		const reach = { x: finest(wide / (span.to - span.from), (frame.right - frame.left) / (run.end - run.begin)), y: finest(high / top, (frame.bottom - frame.top) / run.high) };
		const at = (ms) => Math.round((ms - span.from) / (span.to - span.from) * wide);
		const lid = lidEdge * (run.end - run.begin) / (frame.right - frame.left);
		const from = Math.max(at(run.begin), 0) + reach.x, to = Math.min(at(t - lid), wide) - reach.x;
		for (const [who, one, other] of [["the program", a, b], ["the player", b, a]]) {
			for (const { name, n, at: [px, py] } of lacking(one, other, from, to, reach)) {
				bad.push(`only ${who} has ${name}: ${n} pixels, first at ${(span.from + px / wide * (span.to - span.from)).toFixed()} ms and ${(top * (1 - py / high)).toFixed(1)} pods`);
			}
		}
		const beyond = b.filter((c, i) => c > 0 && c <= lines.length && i % wide > at(t) + reach.x).length;
		if (beyond > 0) bad.push(`${beyond} pixels of lines are beyond the player's cursor`);
		return bad;
	}

	// moments compares both at times that are evenly spread over what the player shows. None is at its begin: what happens in the first
	// pixel is written from the first moment on.
	async function moments(name, lang, n, fault) {
		const { begin, end } = await load(name, lang, fault), bad = [];
		for (let k = 0; k < n; k++) {
			const t = Math.round((begin + (end - begin) * (k + 0.5) / n) / 10) * 10;
			await put(t);
			for (const b of await compare(t)) {
				if (!b.startsWith("the player's picture has {") || !(await brief(t))) bad.push(`at ${t} ms: ${b}`);
			}
		}
		return bad;
	}

	// picture has both plots as they are now, the program's above.
	async function picture() {
		const option = await rollplay.chartOption(), both = [chart(), await drawn(rollplay.span(), [].concat(option.yAxis)[0].max)];
		const canvas = Object.assign(document.createElement("canvas"), { width: wide, height: 2 * high + 8 });
		both.forEach((image, i) => canvas.getContext("2d").putImageData(image, 0, i * (high + 8)));
		return canvas.toDataURL().split(",")[1];
	}
	return { load, put, compare, moments, picture, faults: Object.keys(breaks) };
})();
