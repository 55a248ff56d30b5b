// The part of the transformer that the page is about, as the page declares it (`ui.state.location`). The mark follows
// the address: a choice inside a picture moves it at once, without the server. A picture that goes through the layers
// says itself which one it shows, while the address still names the one before. A click names a part, and the server
// opens the page of that part.

const NUMBER = /^[1-9]\d{0,2}$/;
const numberOf = (text) => (NUMBER.test(text ?? "") ? +text : 0);

/**
 * @typedef {object} Declared what a page declares, in the words of a link
 * @property {Record<string, [string, string]>} fields by their keys: the value of each with which the page opens, and the
 *   one that is left out of a link with other values
 * @property {{part: string, when: Record<string, string[]>, layer: string, head: string, tiny: boolean, stack: string}[]}
 *   locations the first that fits is the page's
 */

/**
 * @param {Declared} declared by the page
 * @param {Record<string, string>} query of its address
 * @returns {{part: string, layer: number, head: number, tiny: boolean, stack: string}} part "" for none; layer and head
 *   from 1, 0 for none; the tiny model has one layer, which no link counts
 */
export function where({ fields, locations }, query) {
  const bare = Object.keys(query).every((key) => key === "v" || key === "lang"); // as in ui/permalink.py
  const value = (key) => query[key] ?? fields[key][bare ? 0 : 1];
  // What is no number, as somebody may write it, is read as if it were left out.
  const number = (key) => (key ? numberOf(query[key]) || numberOf(value(key)) || numberOf(fields[key][0]) : 0);
  for (const { part, when, layer, head, tiny, stack } of locations) {
    const fits = Object.entries(when).every(([key, values]) => values.includes(value(key)));
    if (!fits || (layer && !number(layer))) continue;
    const first = head && part !== "layer" ? 1 : 0; // inside a head, that is the first if none is chosen
    return { part, layer: number(layer), head: number(head) || first, tiny, stack };
  }
  return { part: "", layer: 0, head: 0, tiny: false, stack: "" };
}

/**
 * Where the page is while a picture of the word's vector shows a layer of it.
 * @param {ReturnType<typeof where>} at by the address
 * @param {number} layer 0 before the first; NaN if there is no such picture
 */
export function shownIn(at, layer) {
  if (at.part !== "vector" || Number.isNaN(layer)) return at;
  return layer ? { ...at, layer } : { ...at, part: "embedding", layer: 0 };
}

// In another language than English, the page brings the messages of this file (`core/localization/browser.py`).
let words = {};
const m = (message, values = {}) => (words[message] ?? message).replace(/\{(\w+)\}/g, (_, key) => values[key]);

const names = () => ({
  tokens: m("tokens"), embedding: m("learned vector"), position: m("+ position"), score: "q·k", vector: m("vector"),
});
/** @type {(name: string) => string} */
const stackName = (name) => ({ encoder: m("encoder"), decoder: m("decoder") })[name] ?? name;
/** The name of a row of heads: of one kind of attention if a layer has two. @type {(name: string) => string} */
const headsName = (name) => ({ self: m("self-att."), across: m("cross-att.") })[name] ?? m("heads");
/** @type {(name: string) => (number: number) => string} */
const headMeaning = (name) => (number) => ({
  self: m("Head {number} of self-attention", { number }), across: m("Head {number} of cross-attention", { number }),
})[name] ?? m("Head {number}", { number });
const about = () => ({
  tokens: m("Words into tokens"),
  embedding: m("The learned vector of each token"),
  position: m("What says where a token stands"),
  score: m("Query times key: where an attention weight comes from"),
  vector: m("The vector of a word after all layers"),
});

/**
 * The part in words, for the line below the drawing and for screen readers.
 * @param {Partial<ReturnType<typeof where>>} at
 * @param {{stacks: [name: string, layers: number][], heads: number, counted?: string}} model "counted" has the layers of
 *   several stacks in words
 */
export function said({ part, layer = 0, head = 0, tiny = false, stack = "" }, { stacks, heads, counted = "" }) {
  const called = { ...names(), position: m("position") };
  if (tiny) return m("the tiny model, {part}", { part: called[part] ?? m("its only layer") });
  const several = stacks.length > 1;
  if (part === "layers") {
    const total = stacks.reduce((sum, [, count]) => sum + count, 0);
    if (several) return counted;
    return total > 1 ? m("all {count} layers", { count: total }) : total ? m("its only layer") : m("all layers");
  }
  const places = [], [, layers] = stacks.find(([name]) => !several || name === stack) ?? ["", 0];
  const at = layers ? m("layer {layer} of {layers}", { layer: Math.min(layer, layers), layers }) : m("layer {layer}", { layer });
  const within = {
    encoder: m("encoder layer {layer} of {layers}", { layer: Math.min(layer, layers), layers }),
    decoder: m("decoder layer {layer} of {layers}", { layer: Math.min(layer, layers), layers }),
  };
  if (layer) places.push(several && layers && stack in within ? within[stack] : at);
  if (head) places.push(heads ? m("head {head} of {heads}", { head, heads }) : m("head {head}", { head }));
  if (part in called) places.push(called[part]);
  return places.join(", ");
}

const BEFORE = ["", "tokens", "embedding", "position"]; // parts before the first layer
const EVERY = 250; // milliseconds between two looks at the address

export default ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".polysee-map");
  const { stacks, heads, rows, counted } = data;
  words = data.words ?? {};
  root.setAttribute("aria-label", m("The parts of the transformer"));
  const most = Math.max(0, ...stacks.map(([, count]) => count));
  const page = location.pathname; // what the page has declared says nothing of another
  const buttons = new Map();
  const add = (row, part, number, text, meaning, stack = "", shown = true) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = meaning;
    // Whoever says what is written there, to a computer that listens, means this button (WCAG 2.5.3).
    button.setAttribute("aria-label", meaning.includes(text) ? meaning : `${text}: ${meaning}`);
    button.addEventListener("click", () => {
      const { layer = 0 } = now;
      setTriggerValue("go", { part, number, layer: Math.min(layer, most), stack });
    });
    row.append(button);
    buttons.set(button, { of: part, number, stack, shown });
  };
  const line = (name) => {
    const row = document.createElement("div");
    row.dataset.row = name;
    return row;
  };
  const first = line("first"), last = line("last");
  for (const part of ["tokens", "embedding", "position"]) add(first, part, 0, names()[part], about()[part]);
  const middle = stacks.map(([name, count]) => {
    const row = line("layers");
    row.dataset.name = stackName(name) || m("layers");
    for (let i = 1; i <= count; i++) add(row, "layer", i, String(i), name ? m("Layer {number} of the {stack}", { number: i, stack: stackName(name) }) : m("Layer {number}", { number: i }), name);
    return row;
  });
  const inside = rows.map(([name, count, stack, shown]) => {
    const row = line("heads"), meaning = headMeaning(name);
    row.dataset.name = headsName(name);
    for (let i = 1; i <= count; i++) add(row, "head", i, "", meaning(i), stack, shown);
    return row;
  });
  for (const part of ["score", "vector"]) add(last, part, 0, names()[part], about()[part]);
  const here = document.createElement("p");
  here.setAttribute("aria-live", "polite");
  root.replaceChildren(first, ...middle, ...inside, last, here);
  root.toggleAttribute("data-stacks", stacks.some(([name]) => name));

  let now = { part: "" }, address = null, byAddress = where(data, {}), layerShown = NaN;
  const look = () => {
    if (location.href === address || location.pathname !== page) return;
    address = location.href;
    byAddress = where(data, Object.fromEntries(new URLSearchParams(location.search)));
    here.setAttribute("aria-live", "polite");
    mark();
  };
  const mark = () => {
    now = shownIn(byAddress, layerShown);
    const { part, head = 0, tiny } = now, layer = tiny && !BEFORE.includes(part) ? 1 : now.layer ?? 0, inStack = stacks.length > 1 ? now.stack : null;
    for (const [button, { of, number, stack, shown }] of buttons) {
      const isLayer = part === "layers" || (number === layer && (inStack === null || stack === inStack));
      const marked = of === part && !number || (of === "layer" && isLayer) || (of === "head" && shown && number === head);
      if (marked) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const place = said(now, { stacks, heads, counted });
    here.textContent = place && m("You are at: {place}", { place });
  };
  root.forget?.();
  const life = new AbortController(), watch = setInterval(look, EVERY);
  root.forget = () => {
    life.abort();
    clearInterval(watch);
  };
  look();
  document.addEventListener("polysee-layer", ({ detail }) => {
    here.setAttribute("aria-live", "off"); // the picture itself says where it has arrived
    layerShown = detail.layer;
    mark();
  }, { signal: life.signal });
  document.dispatchEvent(new Event("polysee-layer-asked"));
  return root.forget;
};
