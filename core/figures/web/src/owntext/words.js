// What the view of a text of one's own says in a tab alone; what the server says as well is in `core/sentences`.
import { m } from "../runtime/language.js";
import { grouped } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };

const { leastText: LEAST, mostText: MOST } = CONSTANTS;

/** In the language of the page when they are asked for. @type {Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>} */
const WORDS = {
  own: () => m("Your own text"),
  yours: () => m("Your text"),
  private: () => m("From {least} to {most} letters. The text stays in this tab: it is sent to no server, and is gone when you close the page.", { least: grouped(LEAST), most: grouped(MOST) }),
  paste: () => m("Your text: paste it here"),
  like: () => m("At least {least} letters: a story of yours, a song, your notes …", { least: LEAST }),
  file: () => m("… or take a text file"),
  long: () => m("This file is too long; a model learns from {least} to {most} letters.", { least: grouped(LEAST), most: grouped(MOST) }),
  same: () => m("The same text, recipe and seed give the same first weights and the same windows as on the server, and each step differs from the server’s by rounding alone."),
  speed: (values) => m("{speed} steps a second in this tab, on one thread.", values),
  starting: () => m("The engine starts: it compiles its kernels for these sizes, which takes a few seconds."),
  step: (values) => m("Step {step} of {steps}", values),
  done: (values) => m("Done, step {step} of {steps}", values),
  stopped: (values) => m("Stopped at step {step} of {steps}", values),
  stopping: () => m("Stops after this step …"),
  loaded: (values) => m("Loaded: a model with {layers}, {heads}, d_model {width}, after {steps} steps.", values),
  nothing: () => m("Press **Start**: the model begins with noise, and writes at every pause."),
  failed: (values) => m("The engine has stopped: {why}", values),
  none: () => m("This browser cannot train here: it has no module workers or no WebAssembly."),
  opens: () => m("In the full app, *Training* loads this file, and *Heads* and *Next word* then show the model."),
  goOn: () => m("Go on from your words"),
  changed: () => m("**The form has changed since this model was trained.** Press **Start** to train another one."),
};

/** @param {string} name @param {Readonly<Record<string, string>>} [values] */
export const say = (name, values = {}) => WORDS[name](values);
