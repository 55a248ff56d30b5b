// The part of the transformer that the page is about. The mark follows the address: a choice inside a picture
// moves it at once, without the server. A click names a part, and the server opens the page of that part.

const NUMBER = /^[1-9]\d{0,2}$/;
const counted = (text) => (NUMBER.test(text ?? "") ? +text : 0);

// The part to which each step of Step by step belongs.
const STEPS = { pieces: "tokens", learned: "embedding", root: "embedding", position: "position" };
for (const one of ["scores", "capped", "uncapped", "bias", "scale", "mask", "weights"]) {
  STEPS[one] = STEPS[`cross-${one}`] = "score";
}
for (const one of ["query", "key", "value", "mix"]) STEPS[one] = STEPS[`cross-${one}`] = "head";

const OF_PAGE = {
  "": () => ({ part: "vector" }),
  senses: () => ({ part: "vector" }),
  corpus: ({ l }) => ({ part: "vector", layer: counted(l) }),
  positions: () => ({ part: "position" }),
  embeddings: ({ p, l }) => p && p !== "path" && !counted(l)
    ? { part: "embedding" } : { part: "vector", layer: counted(l) },
  heads: ({ l, h, r }) => {
    const layer = counted(l);
    if (!layer) return { part: "layers" };
    if (!r || r === "lines") return { part: "layer", layer, head: counted(h) };
    return { part: r === "product" ? "score" : "head", layer, head: counted(h) || 1 };
  },
  "step-by-step": (query) => {
    const bare = !Object.keys(query).length; // the page opens with the tiny model's first step
    const { p, l, h, st = bare ? "pieces" : "query", ti = bare ? "1" : "0" } = query;
    if (p === "tokens") return { part: "tokens" };
    const part = STEPS[st] ?? (p === "plain" ? "score" : "layer");
    if (ti === "1") return { part, tiny: true };
    const layer = ["tokens", "embedding", "position"].includes(part) ? 0 : counted(l) || 1;
    return { part, layer, head: ["head", "score"].includes(part) ? counted(h) || 1 : 0 };
  },
  "encoder-decoder": ({ l }) => ({ part: "layer", layer: counted(l) || 1 }),
  training: () => ({ part: "layers" }),
};

/**
 * @param {string} path of the page, as in its address
 * @param {Record<string, string>} query
 * @returns {{part: string, layer?: number, head?: number, tiny?: boolean}} part "" for none; layer and head from 1;
 *   the tiny model is not in the drawing
 */
export function where(path, query) {
  return (OF_PAGE[path.split("/").at(-1)] ?? (() => ({ part: "" })))(query);
}

const NAMES = {
  tokens: "tokens", embedding: "embedding", position: "+ position", score: "q·k", vector: "vector",
};
const ABOUT = {
  tokens: "Words into tokens",
  embedding: "The learned vector of each token",
  position: "What says where a token stands",
  score: "Query times key: where an attention weight comes from",
  vector: "The vector of a word after all layers",
};

/** The part in words, for the line below the drawing and for screen readers. */
export function said({ part, layer = 0, head = 0, tiny = false }, { layers, heads }) {
  if (tiny) return `the tiny model, ${part === "position" ? "position" : NAMES[part] ?? "its only layer"}`;
  if (part === "layers") return layers ? `all ${layers} layers` : "all layers";
  const places = [];
  if (layer) places.push(layers ? `layer ${layer} of ${layers}` : `layer ${layer}`);
  if (head) places.push(heads ? `head ${head} of ${heads}` : `head ${head}`);
  if (part in NAMES) places.push(part === "position" ? "position" : NAMES[part]);
  return places.join(", ");
}

const EVERY = 250; // milliseconds between two looks at the address

export default ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".polysee-map");
  const { layers, heads } = data;
  const buttons = new Map();
  const add = (row, part, number, text, about) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = about;
    button.setAttribute("aria-label", about);
    button.addEventListener("click", () => {
      const { layer = 0 } = now;
      setTriggerValue("go", { part, number, layer: Math.min(layer, layers) });
    });
    row.append(button);
    buttons.set(`${part} ${number}`, button);
  };
  const line = (name) => {
    const row = document.createElement("div");
    row.dataset.row = name;
    return row;
  };
  const first = line("first"), middle = line("layers"), inside = line("heads"), last = line("last");
  for (const part of ["tokens", "embedding", "position"]) add(first, part, 0, NAMES[part], ABOUT[part]);
  for (let i = 1; i <= layers; i++) add(middle, "layer", i, String(i), `Layer ${i}`);
  for (let i = 1; i <= heads; i++) add(inside, "head", i, "", `Head ${i}`);
  for (const part of ["score", "vector"]) add(last, part, 0, NAMES[part], ABOUT[part]);
  const here = document.createElement("p");
  here.setAttribute("aria-live", "polite");
  root.replaceChildren(first, middle, inside, last, here);

  let now = { part: "" }, address = null;
  const look = () => {
    if (location.href === address) return;
    address = location.href;
    now = where(location.pathname, Object.fromEntries(new URLSearchParams(location.search)));
    const { part, layer = 0, head = 0 } = now;
    for (const [name, button] of buttons) {
      const [of, number] = [name.split(" ")[0], +name.split(" ")[1]];
      const marked = of === part && !number
        || (of === "layer" && (number === layer || part === "layers")) || (of === "head" && number === head);
      if (marked) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const words = said(now, { layers, heads });
    here.textContent = words && `You are at: ${words}`;
  };
  clearInterval(root.watch);
  root.watch = setInterval(look, EVERY);
  look();
  return () => clearInterval(root.watch);
};
