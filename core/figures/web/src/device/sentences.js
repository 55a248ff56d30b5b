// What the switch and the line below the pictures say about the device.
/** @import { State, Why } from "./device.js" */
/** @import { Status } from "./follow.js" */
import { small } from "../runtime/small.js";
import { m } from "../runtime/language.js";


export const NAME = () => m("Compute on this device");

/** @type {Readonly<Record<Why, string>>} */
const WHY = {
  get slow() { return m("This device is slower than the server, so the server computes again."); },
  get small() { return m("This tab has too little memory for the model, so the server computes again."); },
  get broken() { return m("The model stopped working in this tab, so the server computes again."); },
  get download() { return m("The model did not arrive whole, so the server still computes. Try again in a moment."); },
  get old() { return m("This browser is too old: it lacks WebAssembly with SIMD. The server computes."); },
};

const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);

/**
 * The sentence below the switch.
 * @param {State} state
 * @param {number} size bytes of the download
 * @param {string} title of the model
 */
export function switchSentence(state, size, title) {
  switch (state.kind) {
    case "off":
      return m("Loads {title} into this tab, once: {size} MB. The pictures then follow every key.", { title, size: megabytes(size) });
    case "loading": {
      return state.done < state.total
        ? m("Loading: {done} of {total} MB.", { done: megabytes(state.done), total: megabytes(state.total) })
        : m("Preparing the model."); // also where nothing has to be fetched
    }
    case "on":
      return m("The pictures follow every key. What you type reaches the server when you press Enter or leave the box.");
    case "refused":
      return state.detail && state.why === "slow" ? m("{why} It took {time} for 20 tokens.", { why: WHY.slow, time: state.detail }) : WHY[state.why];
  }
}

/**
 * The line of a page: whose numbers its pictures show.
 * @param {Status} status
 * @param {boolean} isOn
 * @param {string} why a sentence, if the device cannot compute this view
 */
export function lineSentence({ by, isAhead, isAway, took, difference, note }, isOn, why) {
  if (!isOn) return "";
  if (why) return why;
  const behind = isAway ? m("The server does not answer: this device goes on without it.")
    : isAhead ? m("What is dimmed is about the last text: press Enter to bring it up to date.") : "";
  if (by === "device" && took) return [note, m("Computed on this device in {time} ms.", { time: Math.max(1, Math.round(took)) }), behind].filter(Boolean).join(" ");
  if (note || isAway) return `${note} ${behind}`.trim();
  if (difference === null) return m("Computed by the server.");
  if (Number.isNaN(difference)) return m("Computed by the server. This device draws other parts of the picture, so the two cannot be compared.");
  return difference === 0
    ? m("Computed by the server and on this device: no number in the picture differs.")
    : m("Computed by the server and on this device: the numbers in the picture differ by {most} at most.", { most: small(difference) });
}
