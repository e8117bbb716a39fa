// @ts-check
// Where the cursor is while a run plays. What moves with it is handed to the browser once, as an animation that continues smoothly while the
// program works. It begins again when the cursor is not where it leads.

const far = 500; // ms of the page that an animation leads ahead: where a program works for longer, what moves waits for it
const late = 60; // ms of the page by which the cursor may be behind or ahead: a slow frame or two
const every = 80; // ms between two texts of a cursor that moves: more cannot be read

/**
 * From t on at a ms of the page, until another. The next one is due at `renew`, and `told` is when the texts were written.
 * @typedef {{ t: number, at: number, pace: number, until: number, renew: number, told: number }} Course
 */

/** @type {Course | null} */
let course = null;
let last = -1; // the cursor's time before
/** @type {Map<HTMLElement, Animation>} */
const moving = new Map();

/**
 * steer says what to do for a cursor at time t that moves by pace ms of the run in one of the page, 0 at rest: place what moves with it, only
 * tell its time, or nothing. The course ends where the plot does.
 * @param {number} t
 * @param {number} pace
 * @param {number} end of the plot, in ms of the run
 * @param {number} now
 * @returns {"place" | "tell" | ""}
 */
export function steer(t, pace, end, now) {
  const moved = t !== last;
  last = t;
  if (course && course.pace === pace && now < course.renew && Math.abs(course.t + (now - course.at) * pace - t) <= late * pace + 2) {
    if (now - course.told < every) return "";
    course.told = now;
    return "tell";
  }
  const ahead = Math.min((end - t) / pace, far); // not a number at rest at the end
  course = moved && ahead > 0 && pace > 0 ? { t, at: now, pace, until: now + ahead, renew: now + (ahead < far ? ahead : far / 2), told: now } : null;
  return "place";
}

/**
 * move gives an element the style of the cursor's time, and of the times to come while there is a course.
 * @param {HTMLElement} e
 * @param {"translate" | "transform"} property
 * @param {(t: number) => string} style of a time, linear in it
 */
export function move(e, property, style) {
  moving.get(e)?.cancel();
  moving.delete(e);
  e.style[property] = style(course?.t ?? last);
  if (!course) return;
  const { t, at, pace, until } = course;
  const animation = e.animate({ [property]: [style(t), style(t + pace * (until - at))] }, { duration: until - at, fill: "forwards" });
  animation.startTime = at;
  moving.set(e, animation);
}

// stop lets the next cursor be placed: what it is placed on has changed.
export function stop() { course = null; }
