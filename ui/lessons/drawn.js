// A prediction drawn on the answer: on a line of numbers, among the choices, or in a grid of heads. The app and the
// folder for any web space show it from the same facts (`ui/lessons/drawn.py`).

const NEAR_EDGE = 20; // per cent of the line: a label there begins or ends at its place, to stay inside
const REACH = 4; // times the length of a line without marks, which a prediction outside may lengthen
const MOST_CELLS = 40; // rows, and columns, of a grid

/**
 * Where everything on a line stands, in per cent of it: marks below, the answer and what counts as near on it, a
 * prediction above. One far outside is drawn at the edge, or the rest of the line would shrink to a point.
 */
export const line = ({ predicted, right, tolerance, positive, marks }) => {
  // A share has two ends: what counts as near reaches beyond neither.
  const least = right - tolerance, most = right + tolerance, isShare = positive && marks.length > 1 && marks[0].at === 0 && marks[marks.length - 1].at === 1;
  const near = [positive ? Math.min(right, Math.max(0, least)) : least, isShare ? Math.max(right, Math.min(1, most)) : most];
  const held = [right, ...marks.map(({ at }) => at)];
  let low = Math.min(...held, near[0]), high = Math.max(...held, near[1]);
  if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
  const reach = (high - low) * (marks.length ? 1 : REACH), placed = Math.min(Math.max(predicted, low - reach), high + reach);
  low = Math.min(low, placed);
  high = Math.max(high, placed);
  const x = (value) => (100 * (value - low)) / (high - low);
  return {
    near: near[1] > near[0] ? { left: x(near[0]), width: x(near[1]) - x(near[0]) } : null,
    marks: marks.map(({ at }) => x(at)), you: x(placed), model: x(right), beyond: Math.sign(predicted - placed),
  };
};

/** The choices, with who chose which; the answer stands there even where it was not offered. */
export const choices = ({ options, predicted, right }) => (options.includes(right) ? options : [...options, right])
  .map((text) => ({ text, you: text === predicted, model: text === right }));

/** A layer and a head, from numbers or from the texts of a link; null for anything else. */
const cellOf = (value) => {
  const at = Array.isArray(value) && value.length === 2 ? value.map((one) => (String(one).trim() ? Math.trunc(Number(one)) : NaN)) : [NaN];
  return at.every((one) => one >= 1 && one <= MOST_CELLS) ? at : null;
};

/** The grid of layers and heads, as large as the model or as what is shown in it; null where the answer is no head. */
export const grid = ({ predicted, right, heads }) => {
  const model = cellOf(right), you = cellOf(predicted);
  if (!model) return null;
  const [rows, columns] = [0, 1].map((axis) => Math.min(MOST_CELLS, Math.max(heads?.[axis] ?? 1, model[axis], you?.[axis] ?? 1)));
  return { rows, columns, you, model };
};

const make = (tag, name = "", words = "", style = {}) => {
  const node = Object.assign(document.createElement(tag), { className: name, textContent: words });
  Object.assign(node.style, style);
  return node;
};

const percent = (value) => `${value.toFixed(1)}%`;

const picture = (name, about, parts) => {
  const node = make("div", name);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", about);
  node.append(...parts);
  return node;
};

/** A sentence with what takes the place of each “{name}”. */
const filled = (template, values) => Object.entries(values).reduce((said, [name, value]) => said.replaceAll(`{${name}}`, () => value), template);

const DRAWN = {
  choice: (said) => {
    const { words } = said, list = make("ul");
    for (const { text, you, model } of choices(said)) {
      const row = make("li", model ? "model" : "", text);
      if (you) row.append(make("b", "you", `← ${words.you}`));
      if (model) row.append(make("b", "", `← ${words.model}`));
      list.append(row);
    }
    return [list];
  },
  number: (said) => {
    const { marks, own, key, words } = said, at = line(said);
    const ends = [Math.min(...at.marks), Math.max(...at.marks)];
    const label = (kind, left, text) => {
      const side = left < NEAR_EDGE ? "from" : left > 100 - NEAR_EDGE ? "to" : "mid";
      return make("span", `${kind} ${side}`, text, { left: percent(left) });
    };
    const you = `${words.you} ${own}`;
    return [picture("line", filled(words.predicted, { own, key }), [
      make("i", "axis", "", { left: "0", width: "100%" }),
      ...(at.near ? [make("i", "near", "", { left: percent(at.near.left), width: percent(at.near.width) })] : []),
      ...at.marks.flatMap((left, i) => [make("i", "tick", "", { left: percent(left) }), label(ends.includes(left) ? "mark" : "mark inner", left, marks[i].name)]),
      make("i", "dot you", "", { left: percent(at.you) }),
      label("said you", at.you, at.beyond > 0 ? `${you} →` : at.beyond < 0 ? `← ${you}` : you),
      make("i", "dot model", "", { left: percent(at.model) }), label("told model", at.model, `${words.model} ${key}`),
    ])];
  },
  heads: (said) => {
    const { words } = said, found = grid(said);
    if (!found) return [];
    const is = (at, row, column) => at !== null && at[0] === row + 1 && at[1] === column + 1;
    const cells = Array.from({ length: found.rows * found.columns }, (_, i) => {
      const row = Math.floor(i / found.columns), column = i % found.columns;
      return make("i", ["model", "you"].filter((who) => is(found[who], row, column)).join(" "));
    });
    const about = ["model", "you"].filter((who) => found[who])
      .map((who) => filled(words.where, { who: words[who], layer: String(found[who][0]), head: String(found[who][1]) })).join(", ");
    const drawn = picture("grid", about, cells);
    drawn.style.gridTemplateColumns = `repeat(${found.columns}, 1fr)`;
    drawn.style.maxWidth = `${found.columns}rem`;
    const model = make("span", "model");
    model.append(make("b", "", `■ ${words.model}`));
    return [drawn, make("span", "you", `○ ${words.you}`), " ", model, `, ${words.rows}`];
  },
};

export default ({ data, parentElement }) => {
  parentElement.querySelector(".polysee-drawn").replaceChildren(...DRAWN[data.kind](data));
};
