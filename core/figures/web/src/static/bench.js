// The numbers of a lesson's step whose page only the full app has, as far as the model in the tab can give them: a
// table below the card, of the lesson's texts or of those that a visitor types in their place.
/** @import { Trace } from "../engine/trace.js" */
/** @import { Step } from "./card.js" */
/** @import { House } from "./page.js" */
import { decimal, m } from "../runtime/language.js";
import { plain, sentence } from "../derive/sentences.js";
import { cosine, inner, mean, range } from "../derive/numbers.js";
import { occurrenceSpans } from "../engine/finding.js";
import { tokensIn } from "../derive/choice.js";
import { firstToken, partsOf, saidTwice, statesOfAnother, withPart } from "./changes.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { distance, scoresOf, sentenceOf, sinusoid, unweighted, weightsOf, withTexts } from "./expressions.js";
import { latest } from "./latest.js";
import { isSpoken } from "./card.js";
import { textBox } from "./page.js";
import { learnedOf, learnedPictures } from "./learned.js";
import { GivenUp, Spoken } from "./spoken.js";
import { say } from "./words.js";

/** @typedef {{ about: string, columns: string[], rows: (string | number)[][] }} Table */
/** @typedef {Record<string, string>} Texts */
/** What makes some pictures; of several, each takes longer and has more. @typedef {(spoken: Spoken, link: Texts) => Promise<import("./changes.js").Shown[]>} Pictures */

const FIRST = 8; // numbers of a position
const MOST_ROWS = 64;

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const near = (a, b) => [cosine(a, b), distance(a, b), inner(a, b)];
const measures = () => [m("cosine"), m("distance"), m("dot product")];

/** The token that a link of these pages names, from 0, which is [CLS]; the first word without one. @param {Trace} trace @param {string | undefined} q */
const tokenOf = (trace, q) => (/^\d{1,4}$/.test(q ?? "") ? Math.min(Number(q), trace.n - 1) : 1);

/** @param {Trace} trace */
const tokens = (trace) => ({ about: say("pieces"), columns: ["token", "id"], rows: trace.tokens.map((token, i) => [token, trace.ids[i]]) });

/** What a lesson measures: words, one in pieces as a whole, and the tokens of no word. @param {Trace} trace */
function unitsOf(trace) {
  return range(trace.n).filter((i) => !trace.special[i]).flatMap((i) => {
    const word = trace.words.find((one) => one.tokens.includes(i));
    if (!word || word.tokens.length === 1) return [{ name: trace.tokens[i], at: [i] }];
    return word.tokens[0] === i ? [{ name: word.word, at: [...word.tokens] }] : [];
  });
}

/** @param {Trace} trace @param {Texts} link */
function nearness(trace, { l, q }) {
  const layer = l === "learned" || !l ? null : Math.min(Number(l) || 0, trace.layers), own = tokenOf(trace, q);
  const vector = (/** @type {number[]} */ of) => mean(of.map((token) => (layer === null ? trace.learnedOf(token) : trace.hiddenOf(layer, token))));
  const units = unitsOf(trace), from = units.find(({ at }) => at.includes(own)) ?? { name: trace.tokens[own], at: [own] };
  return {
    about: say("nearness", { word: plain(from.name), which: layer === null ? say("learned") : say("after", { layer: String(layer) }) }),
    columns: [m("word"), ...measures()], rows: units.filter((one) => one !== from).map(({ name, at }) => [name, ...near(vector(from.at), vector(at))]),
  };
}

/** @param {Trace[]} traces */
function sentences([first, ...others]) {
  const own = sentenceOf(first);
  return { about: say("sentences"), columns: [m("sentence"), ...measures()], rows: others.map((one) => [one.text, ...near(own, sentenceOf(one))]) };
}

/** @param {Trace} trace @param {string} word */
const vectorsOf = (trace, word) => {
  const [span] = occurrenceSpans(trace.text, word, trace.cased), at = span ? tokensIn(trace, ...span) : [];
  if (!at.length) return null;
  return [mean(at.map((token) => trace.learnedOf(token))), ...range(trace.layers).map((layer) => mean(at.map((token) => trace.hiddenOf(layer + 1, token))))];
};

/** @param {Trace} a @param {Trace} b @param {string} word @returns {Table | null} */
function path(a, b, word) {
  const ofA = vectorsOf(a, word), ofB = vectorsOf(b, word);
  return ofA && ofB && {
    about: say("path", { word: plain(word) }), columns: [m("after layer"), m("cosine")],
    rows: ofA.map((vector, layer) => [layer ? String(layer) : m("0: learned"), cosine(vector, ofB[layer])]),
  };
}

/** @param {Trace} trace @param {Texts} link */
function row(trace, { l, h: head, q }) {
  const query = tokenOf(trace, q), given = { from: query + 1, layer: Math.min(Number(l) || 1, trace.layers), head: Math.min(Number(head) || 1, trace.heads) };
  const scores = scoresOf(trace, given), weights = weightsOf(trace, given);
  return {
    about: say("row", { word: plain(trace.tokens[query]), layer: String(given.layer), head: String(given.head) }),
    columns: [m("to"), m("score"), m("weight")], rows: trace.tokens.map((token, i) => [token, scores[i], weights[i]]),
  };
}

/** @param {Trace} trace @param {Texts} link */
function plainRow(trace, { q }) {
  const query = tokenOf(trace, q), weights = unweighted(trace, query + 1);
  return { about: say("plain", { word: plain(trace.tokens[query]) }), columns: [m("to"), m("weight")], rows: trace.tokens.map((token, i) => [token, weights[i]]) };
}

/** @param {Texts} texts @param {number} width */
const waves = ({ m: query, n: key }, width) => ({
  about: say("waves"), columns: [m("position"), ...range(FIRST).map((i) => m("number {number}", { number: i + 1 }))],
  rows: [...new Set([query, key])].filter((one) => /^\d{1,4}$/.test(one ?? "")).map((one) => [one, ...sinusoid(Number(one), width).slice(0, FIRST)]),
});

const ATTENTION = ["scores", "weights", "no-scale"], PIECES = ["pieces", "learned", "embedded"];

/**
 * What shows the numbers of a step, and the keys of its link that are texts; null if they need more than a tab has.
 * @param {Step} step
 * @returns {{ keys: string[], draw?: (traceOf: (text: string) => Promise<Trace>, link: Texts, texts: Texts) => Promise<Table | null>, without?: boolean,
 *   pictures?: Pictures[], choices?: { key: string, name: string, options: [string, string][] } } | null}
 */
export function benchOf(step) {
  if (isSpoken(step)) return changedBench(step);
  if (step.learns) return { keys: [], without: true };
  const { page, state } = step, link = Object.fromEntries(state), { p, st, wi } = link;
  const one = (/** @type {(trace: Trace, link: Texts, texts: Texts) => Table} */ draw, key = "t") => ({
    keys: [key], draw: async (/** @type {(text: string) => Promise<Trace>} */ traceOf, /** @type {Texts} */ now, /** @type {Texts} */ texts) => draw(await traceOf(now[key]), now, texts),
  });
  if (page === "embeddings" && p === "words") return one(nearness);
  if (page === "embeddings" && p === "sentences") return { keys: ["ln"], draw: async (traceOf, { ln }) => {
    const traces = /** @type {Trace[]} */ ([]);
    for (const text of ln.split("\n").filter((line) => line.trim())) traces.push(await traceOf(text));
    return traces.length > 1 ? sentences(traces) : null;
  } };
  if (page === "embeddings" && p === "path") return { keys: ["t", "t2"], draw: async (traceOf, { t, t2 }, { word }) => path(await traceOf(t), await traceOf(t2), word) };
  if (page === "step-by-step" && p === "tokens") return one(tokens, "bt");
  if (page === "step-by-step" && p === "layer" && PIECES.includes(st)) return one(tokens);
  if (page === "step-by-step" && ATTENTION.includes(p === "what-if" ? wi : st)) return one(row);
  if (page === "step-by-step" && p === "plain") return one(plainRow);
  if (page === "positions" && p === "sinusoidal") return { keys: [], draw: async (_, { pd }, texts) => waves(texts, Number(pd) || 128), without: true };
  return null;
}

/** The same of a step in which the model that speaks runs changed. @param {Step} step */
function changedBench({ page, state }) {
  const { p, wi, ik, il } = Object.fromEntries(state);
  if (page === "next-word" && p === "prompts") return { keys: ["t", "t2"], pictures: [statesOfAnother] };
  if (page === "next-word" && p === "copying" && il) return { keys: [], pictures: [(/** @type {Spoken} */ spoken, /** @type {Texts} */ link) => saidTwice(spoken, link), (/** @type {Spoken} */ spoken, /** @type {Texts} */ link) => saidTwice(spoken, link, true)] };
  if (page === "next-word" && p === "copying" && ik === "1") return { keys: ["t"], pictures: [firstToken] };
  return page === "step-by-step" && wi === "parts" ? { keys: ["t"], pictures: [withPart], choices: { key: "wp", name: m("Exchange"), options: partsOf() } } : null;
}

/**
 * The texts of a step that a visitor may replace, by their names in the lesson.
 * @param {Step} step @param {readonly string[]} keys of its link @param {Texts} texts
 */
export const namesOf = ({ state }, keys, texts) =>
  [...new Set(state.filter(([key]) => keys.includes(key)).flatMap(([, value]) => [...value.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].filter((name) => name in texts);

export class Bench {
  node = h("div", { class: "bench" });
  #numbers = h("div", { "data-part": "bench" });
  #life = new AbortController();

  /**
   * @param {House} house @param {Step} step @param {Texts} texts the lesson's own
   * @param {(name: string, text: string) => void} typed
   */
  constructor(house, step, texts, typed) {
    this.texts = { ...texts };
    const found = benchOf(step);
    if (!found) {
      this.node.append(h("p", {}, ...inline(say("stored", { page: step.called }))));
      return;
    }
    const names = namesOf(step, found.keys, texts), room = this.room = isSpoken(step) ? house.speaking : house.room;
    const { pictures, choices } = found, chosen = choices && h("select", { change: () => this.#again() }, ...choices.options.map(([value, name]) => h("option", { value }, name)));
    if (choices && chosen) chosen.value = Object.fromEntries(step.state)[choices.key];
    if (pictures) this.#life.signal.addEventListener("abort", () => this.#now?.abort());
    const draw = latest(async () => {
      if (step.learns) {
        const learned = learnedOf(house.root, step.learns);
        if (learned.looks.length) await this.#show(house.root, learnedPictures(learned), []);
        return;
      }
      const link = Object.fromEntries(step.state.map(([key, value]) => [key, chosen && key === choices?.key ? chosen.value : withTexts(value, this.texts)]));
      if (!room.model && !found.without) {
        fill(this.#numbers, []);
        return;
      }
      if (pictures) {
        await this.#pictures(house, pictures, link);
        return;
      }
      try {
        const made = await found.draw?.(room.model?.traceOf ?? (() => Promise.reject(new Error("no model"))), link, this.texts);
        fill(this.#numbers, made ? [tableOf(made)] : [h("p", { class: "quiet" }, say("failed"))]);
      } catch (error) {
        console.error(error);
        fill(this.#numbers, [h("p", { class: "quiet" }, sentence("static.failed"))]);
      }
    });
    const boxes = names.map((name, i) => {
      const box = textBox(names.length > 1 ? m("Text {number}", { number: i + 1 }) : m("Text"), (text) => {
        this.texts[name] = text;
        typed(name, text);
        this.#again();
      });
      box.set(texts[name]);
      return box.label;
    });
    this.#draw = draw;
    room.changed(draw, this.#life.signal);
    if (step.learns) {
      const { heard } = learnedOf(house.root, step.learns);
      heard.add(draw);
      this.#life.signal.addEventListener("abort", () => heard.delete(draw));
    }
    this.node.append(...boxes, ...(chosen ? [h("label", {}, h("span", {}, choices?.name ?? ""), chosen)] : []), ...(found.without ? [] : [room.node]), ...(house.content.pages[step.page] ? [] : [h("p", { class: "quiet" }, ...inline(say("numbers", { page: step.called })))]), this.#numbers);
    draw();
  }

  get signal() {
    return this.#life.signal;
  }

  /** Where its model runs. @type {import("./room.js").Room<any> | null} */
  room = null;
  /** What is computed now. @type {AbortController | null} */
  #now = null;
  #draw = async () => {};
  /** @type {Drawn[]} */
  #drawn = [];

  /** Draws anew, and waits for nothing else. */
  #again() {
    this.#now?.abort();
    this.#draw();
  }

  /** Draws what a run that is changed gives. @param {House} house @param {Pictures[]} each @param {Texts} link */
  async #pictures({ root, content, speaking }, each, link) {
    const now = this.#now = new AbortController(), bar = h("progress", { "aria-label": say("computing") });
    if (!speaking.model || this.#life.signal.aborted) return;
    const spoken = new Spoken(speaking.model, content.repeated, { signal: now.signal, heard: (layers, of) => { bar.value = Math.min(1, layers / of); } });
    this.#numbers.setAttribute("aria-busy", "true");
    this.#numbers.prepend(bar);
    try {
      for (const make of each) {
        await this.#show(root, await make(spoken, link), [bar]);
      }
    } catch (error) {
      if (error instanceof GivenUp) return; // another text is drawn, or the page is left
      console.warn(error);
      this.#drawn = [];
      fill(this.#numbers, [h("p", { class: "quiet" }, say(/** @type {Error} */ (error).name === "TextRefused" ? "refused" : "failed"))]);
    } finally {
      bar.remove();
      this.#numbers.removeAttribute("aria-busy");
    }
  }

  /** Draws pictures, each below what is said with it. @param {string} root @param {import("./changes.js").Shown[]} shown @param {Node[]} first what stands above them */
  async #show(root, shown, first) {
    if (shown.length !== this.#drawn.length) {
      this.#drawn.forEach((one) => one.clear());
      this.#drawn = shown.map(() => new Drawn(root, {}));
    }
    fill(this.#numbers, [...first, ...shown.flatMap(({ said }, i) => [...(said ? [h("p", { class: "quiet" }, ...inline(said))] : []), this.#drawn[i].node])]);
    for (const [i, { made }] of shown.entries()) await this.#drawn[i].show(made);
  }

  /** Ends what it does. */
  leave() {
    this.#life.abort();
  }
}

/** @param {Table} table */
function tableOf({ about, columns, rows }) {
  const number = (/** @type {number} */ x) => (Number.isInteger(x) ? String(x) : decimal(x.toFixed(3).replace("-", "−")));
  return h("div", { class: "numbers" }, h("p", {}, ...inline(about)), h("table", {},
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.slice(0, MOST_ROWS).map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, String(name)),
      ...cells.map((cell) => h("td", {}, typeof cell === "number" ? number(cell) : cell)))))),
  ...(rows.length > MOST_ROWS ? [h("p", { class: "quiet" }, m("The first {most} of {count} rows.", { most: MOST_ROWS, count: rows.length }))] : []));
}
