// Package picture draws a run as a picture, with its cursor at a moment or in motion: the posters of the site, and the files that
// people save of their own runs. It needs no browser, so the page and the command make the same bytes. Only a PNG differs: the
// browser draws its own from the SVG with its fonts; the command paints rectangles and writes with Go's fonts, or with -font.
//
// The animated SVG has no script: a lid over the chart moves to the right and carries the same grid, so only the curves seem to
// come; numbers and captions are below each other behind a window, and keyframes move them. The cursor rests at captions, because
// several often fall into a tenth of a second. It plays three times and rests on the finished chart, which is also the picture for
// readers who prefer less motion. A file has at most 60 kB; longer runs get a coarser grid.
package picture
