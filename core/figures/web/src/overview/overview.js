// All heads of a model: layers × heads, each as a small map, or as its share for one token.
/** @import { Change, Emit, Look, Palette, Root, Sent, Still, TextShape, Tip, WeightScale } from "../types" */
/** @import { OverviewState } from "../states" */
/** @import { OverviewHeader } from "../headers" */
/** @import { OverviewPlan } from "./maps.js" */
import { decimal, m } from "../runtime/language.js";
import { element, lookOf, written } from "../runtime/shared.js";
import { cameFrom, leave, announceAt } from "../runtime/arrival.js";
import { paletteOf } from "../draw/cells.js";
import { fitState, HeadOrder, nextHead, positionsOf } from "./order.js";
import { headCaption, headTable, keysHelp, sharesOn } from "./captions.js";
import { later } from "../runtime/later.js";
import { drawIn, Picture } from "../runtime/picture.js";
import { Link } from "../runtime/linkedpictures.js";
import { mapsOf, Missing } from "./pixels.js";
import { overviewPlan } from "./maps.js";
import { STATES } from "../runtime/schema.js";
import { OverviewControls } from "./controls.js";
import { sortedPlan } from "./mapsinorder.js";

const ORDER = /** @type {const} */ (["pattern", "typical", "threshold"]);

/** @extends {Picture<OverviewHeader, OverviewState, number | null, OverviewPlan>} */
export class Overview extends Picture {
  schema = STATES.overview;
  /** @type {number | null} The head under the keyboard cursor; null if none is shown. */
  here = null;
  /** The height in pixels: on a laptop, and at most. */
  low = 0;
  most = 0;
  /** The number of heads. */
  count = 0;
  /** The map of each head: 0 to 255. @type {Uint8Array} */
  maps = new Uint8Array();
  /**
   * For each head and token, the square root of the attention to it, or from it: 0 to 255.
   * @type {Record<OverviewState["direction"], Uint8Array>}
   */
  shares = { to: new Uint8Array(), from: new Uint8Array() };
  /** @type {Missing | null} */
  missing = null;
  /** Whether the page listens for the chosen head. */
  choosing = false;
  /** @type {number | null} The framed head. */
  framed = null;
  /** The index of the chosen token among the selectable ones; -1 for none. */
  token = -1;
  /** @type {HeadOrder} */
  order = later();

  /** @param {Root} root */
  constructor(root) {
    super(root, m("grid of heads"));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.controls = new OverviewControls(this);
    this.link = new Link(this, (kind, change) => kind === "state" && this.follow(change));
  }

  /**
   * @param {boolean} first
   * @param {boolean} takesState
   */
  take(first, takesState) {
    const { header, values } = this, { layers, heads, maps: [rows, columns] } = header;
    this.low = this.most = header.height;
    this.count = layers.length * heads;
    const cells = this.count * rows * columns, keys = header.tokens.length;
    const queries = (header.queryTokens ?? header.tokens).length;
    this.maps = values.subarray(0, cells);
    const rest = values.subarray(cells + this.count * keys);
    this.shares = {
      to: values.subarray(cells, cells + this.count * keys), from: rest.subarray(0, this.count * queries),
    };
    const tail = keys ? this.count * (keys + queries) : 0;
    this.missing = header.hasMissingRows ? new Missing(header, values.subarray(cells + tail), rows) : null;
    if (takesState) this.state = { ...header.state };
    this.choosing = this.events.includes("head");
    this.area.toggleAttribute("data-picks", this.choosing);
    const chosen = header.chosen && header.chosen[0] * heads + header.chosen[1];
    const anotherFramed = chosen !== null && chosen !== this.framed;
    const { here } = this;
    this.here = first || anotherFramed || (here !== null && here >= this.count) ? chosen ?? 0 : here;
    this.framed = chosen;
    this.controls.fill();
    this.turned(chosen === null && takesState);
  }

  /** The selectable tokens. */
  get tokens() {
    const { header, state } = this;
    return (state.direction === "from" && header.queryTokens) || header.tokens;
  }

  /** Their positions in the whole text. */
  get positions() {
    return positionsOf(this.header, this.state.direction);
  }

  /**
   * Takes a choice made above the maps: shown here and in linked pictures, reported to the page.
   * @param {Partial<OverviewState>} change
   * @param {number} [rest] milliseconds without a further change before the choice is reported
   */
  go(change, rest) {
    const { header, state } = this;
    if (change.direction && change.direction !== state.direction && header.queryTokens) change.token = null;
    if ("special" in change && !header.positions) change.token = null; // without positions, the tokens are renumbered
    this.change(change);
    const ordered = ORDER.filter((name) => name in change).map((name) => [name, state[name]]);
    const token = this.token < 0 ? null : this.token;
    this.link.tell("state", {
      ...Object.fromEntries(ordered),
      ...(("direction" in change || "token" in change) && { direction: state.direction,
        [state.direction === "to" ? "key" : "query"]: token }),
    });
    this.report.send(rest);
    if (ordered.length) this.live.textContent = this.order.caption;
  }

  /**
   * Takes a choice made in a linked picture, which may show a single layer.
   * @param {Change} theirs
   */
  follow(theirs) {
    /** @type {Partial<OverviewState>} */
    const change = Object.fromEntries(ORDER.filter((name) => name in theirs)
      .map((name) => [name, theirs[name]]));
    if (theirs.direction === "to" || theirs.direction === "from") {
      const { direction } = theirs, token = (direction === "to" ? theirs.key : theirs.query) ?? null;
      change.direction = direction;
      change.token = token === null ? null : positionsOf(this.header, direction)[token];
    }
    if (!Object.keys(change).length) return;
    this.change(change);
  }

  /**
   * Takes over a state that the page requests; the keyboard cursor stays.
   * @param {OverviewState} state
   */
  turnedTo(state) {
    this.change(state);
  }

  /** @param {Partial<OverviewState>} change */
  change(change) {
    Object.assign(this.state, change);
    this.turned("pattern" in change || "typical" in change);
    this.hide();
    this.draw();
  }

  /**
   * Updates everything but the picture from the state.
   * @param {boolean} anew whether the keyboard cursor goes to the first head of the order
   */
  turned(anew = false) {
    const { header, state, here } = this;
    fitState(state, header);
    this.token = state.token === null ? -1 : this.positions.indexOf(state.token);
    this.order = new HeadOrder(header, state);
    const { heads, sorted, caption } = this.order;
    if (here === null || !heads.includes(here) || (anew && sorted)) this.here = heads[0] ?? null;
    this.controls.set();
    this.area.setAttribute("aria-label", header.sentence + (sorted ? ` ${caption}.` : ""));
    this.keys.textContent = keysHelp(this);
    this.tabulate(...headTable(this));
  }

  /**
   * Whether a head has nothing to show: it is missing, or nothing remains of its rows.
   * @param {number} i
   */
  gone(i) {
    return this.missing?.whole(i) ?? false;
  }

  /**
   * The attention of head `i` to or from the chosen token, to about a hundredth of the maximum. NaN without
   * such a row.
   * @param {number} i
   */
  share(i) {
    if (this.state.direction === "to" ? this.gone(i) : this.missing?.row(i, this.token)) return NaN;
    const { token, shares, header, state: { direction } } = this, share = shares[direction][i * this.tokens.length
      + token] / 255;
    return share * share * header.maxima[direction];
  }

  /** @returns {WeightScale} */
  scale() {
    const { header, token } = this;
    if (token < 0) return header.scale;
    const most = Math.max(...Array.from({ length: this.count }, (_, i) => this.share(i) || 0), 1e-6);
    return { ...header.scale, root: false, most, title: [this.measure, m("“{word}”", { word: this.tokens[token] })].join(" ") };
  }

  /** The meaning of a token's share, in words. */
  get measure() {
    return this.state.direction === "to" ? m("mean weight on") : m("largest weight of");
  }

  /** @param {Look} look @param {number} ratio */
  planned(look, ratio) {
    const scale = this.scale(), palette = paletteOf(scale, look);
    const top = this.controls.height(this.width), planOf = this.order.sorted ? sortedPlan : overviewPlan;
    const plan = planOf(this, look, scale, palette, top, ratio);
    if (this.token >= 0) plan.shapes.push(...sharesOn(this, plan, palette, look));
    return { plan, palette };
  }

  /** @param {Look} look */
  paint(look) {
    this.controls.fit();
    const ratio = devicePixelRatio || 1, { plan, palette } = this.planned(look, ratio);
    this.header.height = Math.min(this.most, plan.foot); // less if heads are left out
    this.frame.style.height = `${this.header.height}px`;
    this.onCanvas(this.canvas, plan, palette, look, ratio);
    const [left, top, width, height] = plan.area;
    Object.assign(this.canvas.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    return plan;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {OverviewPlan} plan
   * @param {Palette} palette
   * @param {Look} look
   * @param {number} ratio
   */
  onCanvas(canvas, plan, palette, look, ratio) {
    canvas.width = Math.max(1, Math.round(plan.area[2] * ratio));
    canvas.height = Math.max(1, Math.round(plan.area[3] * ratio));
    /** @param {number} i */
    const flat = (i) => (Number.isNaN(this.share(i)) ? null : palette.at(this.share(i)));
    const image = mapsOf(this, plan, palette, look, canvas, ratio, this.token < 0 ? null : flat);
    canvas.getContext("2d")?.putImageData(image, 0, 0);
  }

  /** @param {number | null} value */
  number(value) {
    if (value === null || Number.isNaN(value)) return m("missing");
    return value > 0 && value < 0.01 ? decimal("<0.01") : written(value, this.header.number);
  }

  /**
   * The picture to save; the maps are an image, because they were pooled for the screen.
   * @param {number} ratio
   * @returns {Still}
   */
  still(ratio) {
    const look = lookOf(this.frame), fine = Math.min(4, ratio),
      { plan, palette } = this.planned(look, fine);
    const canvas = document.createElement("canvas"), [x, y, width, height] = plan.area;
    this.onCanvas(canvas, plan, palette, look, fine);
    const { order } = this, shapes = order.sorted ? [...plan.shapes, this.captionShape(look)] : plan.shapes;
    const attributes = { x, y, width, height, href: canvas.toDataURL() };
    const image = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(" ");
    return {
      look, shapes,
      paint: (pen) => pen.drawImage(canvas, x, y, width, height),
      asSvg: () =>
        `<g><image ${image} preserveAspectRatio="none" style="image-rendering:pixelated"/></g>`,
    };
  }

  /**
   * In a saved file, a caption replaces the controls.
   * @param {Look} look
   * @returns {TextShape}
   */
  captionShape({ size, ink }) {
    return { text: this.order.caption, x: 0, y: size, size, bold: true, fill: ink, part: "caption" };
  }

  /** @param {MouseEvent} event */
  under({ offsetX, offsetY }) {
    const { boxes, order, lift, area: [left, top], pitch: [wide, high] } = this.plan;
    return order.find((head) => {
      const corner = boxes[head];
      if (!corner) return false;
      const x = offsetX - corner[0] + left, y = offsetY - corner[1] + top + lift;
      return x >= -1 && x < wide - 1 && y >= -1 && y < high - 1;
    }) ?? null;
  }

  /**
   * @param {number} i
   * @returns {Tip}
   */
  tipOf(i) {
    const { plan: { boxes, cell: [wide, high] }, header } = this, [x, y] = boxes[i] ?? [0, 0];
    return {
      parts: [header.layers[Math.floor(i / header.heads)], ", ", m("head {head}", { head: (i % header.heads) + 1 })],
      said: headCaption(this, i), x: x + wide / 2, top: y, bottom: y + high,
    };
  }

  /** @param {number | null} i */
  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  /** Returning from a layer by a key puts the cursor on the head that was open there. */
  arrive() {
    const left = cameFrom(), { layers, heads } = this.header;
    if (!left || !this.plan) return;
    const row = layers.indexOf(left.layer ?? ""), here = row * heads + Math.max(0, left.head ?? 0);
    if (row >= 0 && this.order.heads.includes(here)) this.here = here;
    this.place();
    this.area.focus({ preventScroll: true });
    announceAt(this, this.area.getAttribute("aria-label") ?? "");
  }

  pick() {
    const { heads } = this.header, { here } = this;
    if (!this.choosing || here === null) return;
    this.report.now();
    this.emit("head", { layer: Math.floor(here / heads), head: here % heads });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    if (event.key !== "Enter" || !this.choosing || this.here === null) return nextHead(this, event);
    leave(this);
    this.pick();
    return this.here;
  }

  place() {
    const box = this.here === null ? null : this.plan.boxes[this.here], [wide, high] = this.plan.cell;
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (box) Object.assign(this.cursor.style, {
      left: `${box[0] - 4}px`, top: `${box[1] - 4}px`, width: `${wide + 8}px`, height: `${high + 8}px`,
    });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Overview(root));
}
