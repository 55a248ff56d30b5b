// The part of the transformer that the page is about, as the page declares it (`ui.state.location`). The mark follows
// the address: a choice inside a picture moves it at once, without the server. A click names a part, and the server
// opens the page of that part.

const NUMBER = /^[1-9]\d{0,2}$/;
const counted = (text) => (NUMBER.test(text ?? "") ? +text : 0);

/**
 * @typedef {object} Declared what a page declares, in the words of a link
 * @property {Record<string, [string, string]>} fields by their keys: the value of each with which the page opens, and the
 *   one that is left out of a link with other values
 * @property {{part: string, when: Record<string, string[]>, layer: string, head: string, tiny: boolean}[]} locations the
 *   first that fits is the page's
 */

/**
 * @param {Declared} declared by the page
 * @param {Record<string, string>} query of its address
 * @returns {{part: string, layer: number, head: number, tiny: boolean}} part "" for none; layer and head from 1, 0 for
 *   none; the tiny model is not in the drawing
 */
export function where({ fields, locations }, query) {
  const bare = Object.keys(query).every((key) => key === "v");
  const value = (key) => query[key] ?? fields[key][bare ? 0 : 1];
  // What is no number, as somebody may write it, is read as if it were left out.
  const number = (key) => (key ? counted(query[key]) || counted(value(key)) || counted(fields[key][0]) : 0);
  for (const { part, when, layer, head, tiny } of locations) {
    const fits = Object.entries(when).every(([key, values]) => values.includes(value(key)));
    if (!fits || (layer && !number(layer))) continue;
    const first = head && part !== "layer" ? 1 : 0; // inside a head, that is the first if none is chosen
    return { part, layer: number(layer), head: number(head) || first, tiny };
  }
  return { part: "", layer: 0, head: 0, tiny: false };
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
  const page = location.pathname; // what the page has declared says nothing of another
  const buttons = new Map();
  const add = (row, part, number, text, about) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = about;
    // Whoever says what is written there, to a computer that listens, means this button (WCAG 2.5.3).
    button.setAttribute("aria-label", about.includes(text) ? about : `${text}: ${about}`);
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
    if (location.href === address || location.pathname !== page) return;
    address = location.href;
    now = where(data, Object.fromEntries(new URLSearchParams(location.search)));
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
