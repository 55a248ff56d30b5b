// What the choice of the graphics card says, in the app and in the folder.
/** @import { State } from "./graphics.js" */
import { small } from "../runtime/small.js";
import { decimal, m } from "../runtime/language.js";
import { LIMIT } from "./graphics.js";

export const GRAPHICS = () => m("Use the graphics card (WebGPU)");

const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);

/**
 * The sentence below the choice.
 * @param {State} state
 * @param {number} size bytes of the second run-time
 */
export function graphicsSentence(state, size) {
  switch (state.kind) {
    case "off":
      return m("Fetches another run-time, once: {size} MB. It is used only if, on this device, its numbers agree with the processor’s and come sooner.", { size: megabytes(size) });
    case "loading":
      return state.done < state.total
        ? m("Loading: {done} of {total} MB.", { done: megabytes(state.done), total: megabytes(state.total) })
        : m("Preparing the model.");
    case "checking":
      return m("Computing a text both ways, to compare their numbers.");
    case "on":
      return m("The graphics card computes: {took} ms for {tokens} tokens, where the processor (WebAssembly) took {ours} ms. No number differed by more than {apart}.",
        { ...times(state), apart: small(state.apart) });
    case "refused":
      return refusal(state);
  }
}

/** @param {Extract<State, { kind: "refused" }>} state */
function refusal(state) {
  switch (state.why) {
    case "off":
      return Number.isFinite(state.apart)
        ? m("On this device, the graphics card’s numbers differ from the processor’s by up to {apart}; we allow {limit}. The processor continues.", { apart: small(state.apart), limit: small(LIMIT) })
        : m("On this device, the graphics card returned something that is not a number. The processor continues.");
    case "slow":
      return m("On this device, the graphics card takes {took} ms for {tokens} tokens, and the processor {ours} ms. The processor continues.", times(state));
    case "late":
      return m("On this device, the graphics card had not finished a text of {tokens} tokens after {most} s; the processor takes {ours} ms. The processor continues.",
        { most: Math.round(state.patience / 1000), ...times({ ...state, took: 0 }) });
    case "failed":
      return m("The graphics card could not run the model ({detail}). The processor continues.", { detail: state.detail });
    case "lost":
      return m("The graphics card has stopped ({detail}). The processor continues.", { detail: state.detail });
    case "download":
      return m("The run-time for the graphics card did not arrive whole. The processor continues. Try again in a moment.");
  }
}

/** @param {{ took: number, ours: number, tokens: number }} state */
const times = ({ took, ours, tokens }) => ({ took: milliseconds(took), ours: milliseconds(ours), tokens });

/** @param {number} time */
const milliseconds = (time) => decimal(Math.max(1, Math.round(time)).toLocaleString("en"));
