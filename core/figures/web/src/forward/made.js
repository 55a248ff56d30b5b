// The picture of a whole forward pass from the records of its steps: `core/figures/forward.py`, `core/figures/steps.py`
// and `core/walkthroughs/steps/flow.py`.
/** @import { ForwardHeader, BlockOfStep, MatrixOfStep, StepHeader, StepsHeader } from "../headers" */
/** @import { ForwardState } from "../states" */
/** @import { Made } from "../derive/packed.js" */
/** @import { Matrix, Step } from "../engine/steps/record.js" */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { label, written } from "../derive/labels.js";
import { floats } from "../derive/packed.js";
import { m } from "../runtime/language.js";
import { HUE } from "../derive/scales.js";
import { columnsOf } from "../engine/steps/record.js";
import { STATES } from "../runtime/schema.js";
import STEPS from "./steps.json" with { type: "json" };

const { height: HEIGHT, share: SHARE, mostColumns: MOST_COLUMNS, exact: EXACT } = STEPS;
const SIGNS = /** @type {Readonly<Record<string, string[]>>} */ (STEPS.signs), LEADS = /** @type {Readonly<Record<string, string>>} */ (STEPS.leads);
const SIGNED = /** @type {StepsHeader["signed"]} */ (/** @type {unknown} */ (CONSTANTS.style.signed));

/** A step with its words. @typedef {Step & { title: string, notes?: readonly string[] }} Told */

/**
 * For each step, those whose results are its operands.
 * @param {readonly Step[]} steps
 */
export function flow(steps) {
  /** @type {Map<string, number>} */
  const last = new Map(), formOf = /** @type {Readonly<Record<string, string>>} */ (STEPS.ofResult);
  return steps.map(({ operands, result }, i) => {
    const names = operands.map(({ name }) => formOf[name] ?? name), from = new Set(names.flatMap((name) => last.get(name) ?? []));
    last.set(result.name, i);
    return [...from];
  });
}

/** The value below which a share of sorted numbers lies: NumPy's `quantile`. @param {Float32Array} sorted @param {number} share */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1), low = Math.floor(at);
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

/**
 * The end of the colour scale of a matrix, on both sides: a number of two digits.
 * @param {Matrix} one
 */
export function boundOf({ values, columns, hidden = [], unmasked }) {
  const hides = new Set(hidden.map(([row, column]) => row * columns.length + column));
  const seen = Float32Array.from(unmasked ?? values.filter((_, i) => !hides.has(i)), Math.abs).sort();
  const most = seen.length ? quantile(seen, seen.length > EXACT ? SHARE : 1) : 0;
  if (!(most > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(most)) - 1);
  return Number((Math.ceil(most / unit - 1e-6) * unit).toPrecision(6));
}

/** @param {Matrix} one @param {Step["kind"]} kind @param {number} [bound] @returns {MatrixOfStep} */
const about = (one, kind, bound = boundOf(one)) => ({
  name: written(m(one.name)), rows: one.rows.map(label), columns: one.columns.map(label),
  scale: kind === "pieces" ? "none" : one.weights ? "weights" : "signed", bound, hidden: one.hidden ?? [], whole: one.whole ?? null,
});

/** The operators between the matrices. @param {Step} step */
function signsOf({ kind, operands, number = 0, detail = "" }) {
  const between = SIGNS[kind] ?? [""], signs = operands.slice(1).map((_, i) => m(between[Math.min(i, between.length - 1)]));
  const lead = detail === "beside" ? "" : kind === "scale" ? `${number < 1 ? "÷" : "×"} √${detail} =` : LEADS[kind] ?? "→";
  return operands.length ? [...signs, lead] : [];
}

/** The description of a step, without its numbers. @param {Told} step @returns {StepHeader} */
function stepHeader(step) {
  const { kind, operands, result, title, number = 0, detail = "", notes = [], part = null, groups = null } = step;
  return {
    title, kind, matrices: [...operands, result].map((one) => about(one, kind)), signs: signsOf(step), number, detail, notes: notes.map(written), part, groups,
  };
}

/** A result, cut to the columns that its block shows. @param {Matrix} one @returns {Matrix} */
function firstColumns(one) {
  const wide = one.columns.length;
  if (wide <= MOST_COLUMNS) return one;
  const cut = (/** @type {Float32Array} */ values) => columnsOf(values, wide, 0, MOST_COLUMNS);
  return {
    ...one, values: cut(one.values), columns: one.columns.slice(0, MOST_COLUMNS), hidden: one.hidden?.filter(([, column]) => column < MOST_COLUMNS),
    unmasked: one.unmasked && cut(one.unmasked),
  };
}

/** The picture in a sentence, for those who do not see it. @param {Told} step @param {number} count of all steps */
function inWords({ title, operands, result }, count) {
  const sizes = [...operands, result].map(({ name, rows, columns }) =>
    m("{matrix}, {rows} by {columns}", { matrix: m(name), rows: rows.length, columns: columns.length }));
  const last = sizes[sizes.length - 1], given = sizes.slice(0, -1).join("; ");
  const step = given ? m("{title}: {result} from {given}.", { title, result: last, given }) : m("{title}: {result}.", { title, result: last });
  return m("{step} It is one of {count} steps through a layer.", { step, count });
}

/**
 * All steps of a layer, with one of them in full.
 * @param {readonly Told[]} steps @param {number} at the index of the step in full
 * @param {Partial<ForwardState>} state the initial "level", "step", "row" and "column"
 * @returns {Made<ForwardHeader>}
 */
export function forward(steps, at, state) {
  const results = steps.map(({ result }) => firstColumns(result)), from = flow(steps), step = steps[at];
  const blocks = steps.map((one, i) => /** @type {BlockOfStep} */ ({ from: from[i], result: about(results[i], one.kind), columns: one.result.columns.length }));
  const whole = (/** @type {number | undefined} */ value, least = 0) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : least);
  const levels = STATES.forward.level.enum;
  const header = {
    ...stepHeader(step), hue: HUE, signed: SIGNED, dtype: /** @type {const} */ ("float32"), titles: steps.map(({ title }) => written(title)), at, blocks, tiny: null,
    state: { level: levels.find((one) => one === state.level) ?? levels[0], step: whole(state.step, at), row: whole(state.row), column: whole(state.column) },
    sentence: inWords(step, steps.length), file: `polysee-step-${step.name}`, height: HEIGHT,
  };
  return { module: "forward", header: /** @type {ForwardHeader} */ (header), payload: floats([...step.operands, step.result, ...results].map(({ values }) => values)) };
}
