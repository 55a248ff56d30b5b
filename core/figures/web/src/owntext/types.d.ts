import type { Look } from "../copying/learning.js";
import type { Recipe as OfLetters } from "../copying/net.js";
import type { Pause } from "./training.js";
import type { Recipe } from "./recipe.js";

/** What a page asks of the worker in which a model learns. */
export type Order =
  | { kind: "train"; text: string; recipe: Recipe }
  | { kind: "copy"; recipe: OfLetters }
  | { kind: "go" }
  | { kind: "stop" }
  | { kind: "write"; prompt: string; count: number; seed: number }
  | { kind: "save" }
  | { kind: "load"; bytes: ArrayBuffer };

/** What the worker says. */
export type Answer =
  | { kind: "begun"; gram: number; tokens: number }
  | { kind: "step"; step: number; seconds: number }
  | { kind: "pause"; pause: Pause }
  | { kind: "look"; look: Look }
  | { kind: "rests"; done: boolean }
  | { kind: "wrote"; prompt: string; text: string }
  | { kind: "loaded"; recipe: Recipe; steps: number }
  | { kind: "file"; bytes: ArrayBuffer; steps: number }
  /** In English. `told`: whether the message is a sentence for the visitor; `file`: whether it says what is wrong with a file. */
  | { kind: "failed"; told: boolean; file: boolean; message: string };
