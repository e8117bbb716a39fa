// @ts-check
// The sound of a run, for people who ask for it: while it plays, a high tone for each change of the total, a low one for each change of what is
// available, and a click for each command. More pods are a higher tone.

/** @typedef {{ ids: string[], data: Float64Array[], count: { Max: number } }} Data of the chart: for each line times and counts in turn */

const voices = [{ of: "total", base: 440 }, { of: "available", base: 165 }]; // so far apart that both are heard
const octaves = 1.25; // from no pod to the top of the chart: the voices never meet
const leap = 2000; // virtual ms in a frame: more is no playing, but a jump

/**
 * countAt is the count of a line at a moment, if it has one.
 * @param {Float64Array} line
 * @param {number} t
 */
export function countAt(line, t) {
  let count;
  for (let i = 0; i < line.length && line[i] <= t; i += 2) count = line[i + 1];
  return count;
}

/**
 * heard is what there is to hear between two moments.
 * @param {Data} data
 * @param {{ kind: string, t: number }[]} marks
 * @param {number} from
 * @param {number} to
 */
export function heard(data, marks, from, to) {
  if (to <= from || to - from > leap) return { tones: [], click: false };
  const tones = voices.flatMap(({ of, base }) => {
    const line = data.data[data.ids.indexOf(of)];
    const was = line && countAt(line, from), is = line && countAt(line, to);
    return is === undefined || is === was ? [] : [base * 2 ** (octaves * Math.min(is / data.count.Max, 1))];
  });
  return { tones, click: marks.some((m) => m.kind === "command" && m.t > from && m.t <= to) };
}

/** @type {AudioContext | null} */
let audio = null; // while it is on
let last = 0; // the moment up to which all was heard
let played = false; // in the frame before, so that a command at a stop is heard

// toggleSound lets the person hear runs, or no longer, and says which.
export function toggleSound() {
  if (audio) {
    audio.close();
    audio = null;
    return false;
  }
  audio = new AudioContext();
  return true;
}

/**
 * sound plays what has come since the last frame.
 * @param {Data | undefined} data
 * @param {{ kind: string, t: number }[]} marks
 * @param {number} t
 * @param {boolean} playing
 */
export function sound(data, marks, t, playing) {
  const from = last, moves = playing || played;
  last = t;
  played = playing;
  if (!audio || !data || !moves) return;
  const { tones, click } = heard(data, marks, from, t);
  for (const hz of tones) note(audio, hz, "sine", .12, .15);
  if (click) note(audio, 1800, "square", .05, .012);
}

/**
 * note fades out, so that it does not crack.
 * @param {AudioContext} audio
 * @param {number} hz
 * @param {OscillatorType} type
 * @param {number} loud
 * @param {number} seconds
 */
function note(audio, hz, type, loud, seconds) {
  const wave = new OscillatorNode(audio, { type, frequency: hz }), volume = new GainNode(audio, { gain: loud });
  volume.gain.setTargetAtTime(0, audio.currentTime, seconds / 3);
  wave.connect(volume).connect(audio.destination);
  wave.start();
  wave.stop(audio.currentTime + seconds * 2);
}
