// What the view of a text of one's own says in a tab alone; what the server says as well is in `core/sentences`.
import CONSTANTS from "./constants.json" with { type: "json" };

const { leastText: LEAST, mostText: MOST } = CONSTANTS;
const whole = (/** @type {number} */ number) => number.toLocaleString("en-US");

export const WORDS = {
  own: "Your own text",
  private: `From ${whole(LEAST)} to ${whole(MOST)} letters. The text stays in this tab: it is sent to no server, and is gone when you close the page.`,
  paste: "Your text: paste it here",
  file: "… or take a text file",
  same: "The same text, recipe and seed give the same first weights and the same windows as on the server, and each step differs from the server’s by rounding alone.",
  speed: "{speed} steps a second in this tab, on one thread.",
  starting: "The engine starts: it compiles its kernels for these sizes, which takes a few seconds.",
  step: "Step {step} of {steps}",
  done: "Done, step {step} of {steps}",
  stopped: "Stopped at step {step} of {steps}",
  stopping: "Stops after this step …",
  loaded: "Loaded: a model of {layers} layer(s) of {heads} head(s), d_model {width}, after {steps} steps.",
  nothing: "Press **Start**: the model begins with noise, and writes at every pause.",
  failed: "The engine has stopped: {why}",
  none: "This browser cannot train here: it has no module workers or no WebAssembly.",
  opens: "In the full app, *Training* loads this file, and *Heads* and *Next word* then show the model.",
  goOn: "Go on from your words",
  changed: "**The form has changed since this model was trained.** Press **Start** to train another one.",
};

/** @param {keyof typeof WORDS} name @param {Readonly<Record<string, string>>} [values] */
export const say = (name, values = {}) => WORDS[name].replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
