// All heads of a model: layers × heads, each a small map, or its share of one token.
import { element, lookOf, written } from "../runtime/shared.js";
import { cameFrom, leave, sayAt } from "../runtime/arrival.js";
import { paletteOf } from "../draw/cells.js";
import { fitState, HeadOrder, nextHead, placesOf } from "./headorder.js";
import { headSaid, headTable, keysSaid, sharesOn } from "./headwords.js";
import { live, Life } from "../runtime/life.js";
import { Link } from "../runtime/link.js";
import { mapsOf, Missing } from "./mappixels.js";
import { overviewPlan } from "./maps.js";
import { STATES } from "../runtime/schema.js";
import { OverviewControls } from "./overviewcontrols.js";
import { sortedPlan } from "./sortedmaps.js";

const ORDER = ["pattern", "usual", "least"];

class Overview extends Life {
  schema = STATES.overview;

  constructor(root) {
    super(root, "grid of heads");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.controls = new OverviewControls(this);
    this.link = new Link(this, (kind, change) => kind === "state" && this.heard(change));
  }

  take(first, takesState) {
    const { header, values } = this, { layers, heads, maps: [rows, columns] } = header;
    this.low = this.most = header.height;
    this.count = layers.length * heads;
    const cells = this.count * rows * columns, keys = header.tokens.length;
    const queries = (header.looking ?? header.tokens).length;
    this.maps = values.subarray(0, cells);
    this.shares = { to: values.subarray(cells, cells + this.count * keys) };
    const rest = values.subarray(cells + this.count * keys);
    this.shares.from = rest.subarray(0, this.count * queries);
    const tail = keys ? this.count * (keys + queries) : 0;
    this.missing = header.missing ? new Missing(header, values.subarray(cells + tail), rows) : null;
    if (takesState) this.state = { ...header.state };
    this.choosing = this.events.includes("head");
    this.area.toggleAttribute("data-picks", this.choosing);
    const chosen = header.chosen && header.chosen[0] * heads + header.chosen[1];
    const other = chosen !== null && chosen !== this.framed;
    if (first || this.here >= this.count || other) this.here = chosen ?? 0;
    this.framed = chosen;
    this.controls.fill();
    this.turned(chosen === null && takesState);
  }

  /** The tokens that can be chosen, and their places in the whole text. */
  get tokens() {
    const { header, state } = this;
    return (state.way === "from" && header.looking) || header.tokens;
  }

  get places() {
    return placesOf(this.header, this.state.way);
  }

  /** What a visitor chooses above the maps: shown here and in linked pictures, told to the page. */
  go(change, rest) {
    const { header, state } = this;
    if (change.way && change.way !== state.way && header.looking) change.token = null;
    if ("special" in change && !header.places) change.token = null; // counted anew without them
    this.change(change);
    const ordered = ORDER.filter((name) => name in change).map((name) => [name, state[name]]);
    const token = this.token < 0 ? null : this.token;
    this.link.tell("state", {
      ...Object.fromEntries(ordered),
      ...(("way" in change || "token" in change) && { way: state.way,
        [state.way === "to" ? "key" : "query"]: token }),
    });
    this.report.tell(rest);
    if (ordered.length) this.live.textContent = this.order.caption;
  }

  /** What a visitor has chosen in another picture of the group, which may be one of a layer. */
  heard(told) {
    const change = Object.fromEntries(ORDER.filter((name) => name in told)
      .map((name) => [name, told[name]]));
    if (told.way) {
      const { way } = told, at = (way === "to" ? told.key : told.query) ?? null;
      Object.assign(change, { way, token: at === null ? null : placesOf(this.header, way)[at] });
    }
    if (!Object.keys(change).length) return;
    this.change(change);
  }

  /** The page wants another choice; the keys stay where they are. */
  turnedTo(state) {
    this.change(state);
  }

  change(change) {
    Object.assign(this.state, change);
    this.turned("pattern" in change || "usual" in change);
    this.hide();
    this.draw();
  }

  /** Everything but the picture follows the state; `anew` begins at the first head of an order. */
  turned(anew = false) {
    const { header, state } = this;
    fitState(state, header);
    this.token = state.token === null ? -1 : this.places.indexOf(state.token);
    this.order = new HeadOrder(header, state);
    const { heads, sorted, caption } = this.order;
    if (!heads.includes(this.here) || (anew && sorted)) this.here = heads[0] ?? null;
    this.controls.set();
    this.area.setAttribute("aria-label", header.sentence + (sorted ? ` ${caption}.` : ""));
    this.keys.textContent = keysSaid(this);
    this.tabulate(...headTable(this));
  }

  /** Whether head `i` has nothing to show: it is absent, or nothing remains of its rows. */
  gone = (i) => this.missing?.whole(i) ?? false;

  /**
   * How much head `i` attends to or from the chosen token; to about a hundredth of the most. NaN where it
   * has no row.
   */
  share(i) {
    if (this.state.way === "to" ? this.gone(i) : this.missing?.row(i, this.token)) return NaN;
    const { token, shares, header, state: { way } } = this, share = shares[way][i * this.tokens.length
      + token] / 255;
    return share * share * header.ends[way];
  }

  scale() {
    const { header, token } = this;
    if (token < 0) return header.scale;
    const most = Math.max(...Array.from({ length: this.count }, (_, i) => this.share(i) || 0), 1e-6);
    return { ...header.scale, root: false, most, title: `${this.what} “${this.tokens[token]}”` };
  }

  /** What is said of the share of a token. */
  get what() {
    return this.state.way === "to" ? "mean weight on" : "largest weight of";
  }

  planned(look, ratio) {
    const scale = this.scale(), palette = paletteOf(scale, look);
    const top = this.controls.height(this.width), planOf = this.order.sorted ? sortedPlan : overviewPlan;
    const plan = planOf(this, look, scale, palette, top, ratio);
    if (this.token >= 0) plan.shapes.push(...sharesOn(this, plan, palette, look));
    return { plan, palette };
  }

  paint(look) {
    this.controls.fit();
    const ratio = devicePixelRatio || 1, { plan, palette } = this.planned(look, ratio);
    this.header.height = Math.min(this.most, plan.foot); // less where heads are left out
    this.frame.style.height = `${this.header.height}px`;
    this.onCanvas(this.canvas, plan, palette, look, ratio);
    const [left, top, width, height] = plan.area;
    Object.assign(this.canvas.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    return plan;
  }

  onCanvas(canvas, plan, palette, look, ratio) {
    canvas.width = Math.max(1, Math.round(plan.area[2] * ratio));
    canvas.height = Math.max(1, Math.round(plan.area[3] * ratio));
    const flat = this.token < 0 ? null : (i) => (Number.isNaN(this.share(i)) ? null
      : palette.at(this.share(i)));
    const image = mapsOf(this, plan, palette, look, canvas, ratio, flat);
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  number = (value) => (value > 0 && value < 0.01 ? "<0.01"
    : value === null || Number.isNaN(value) ? "missing" : written(value, this.header.number));

  /** What is saved; the maps as an image, which they are: pooled for the screen. */
  still(ratio) {
    const look = lookOf(this.frame), fine = Math.min(4, ratio),
      { plan, palette } = this.planned(look, fine);
    const canvas = document.createElement("canvas"), [x, y, width, height] = plan.area;
    this.onCanvas(canvas, plan, palette, look, fine);
    const { order } = this, shapes = order.sorted ? [...plan.shapes, this.captioned(look)] : plan.shapes;
    const sign = { x, y, width, height, href: canvas.toDataURL() };
    const image = Object.entries(sign).map(([name, value]) => `${name}="${value}"`).join(" ");
    return {
      look, shapes,
      paint: (pen) => pen.drawImage(canvas, x, y, width, height),
      asSvg: () =>
        `<g><image ${image} preserveAspectRatio="none" style="image-rendering:pixelated"/></g>`,
    };
  }

  /** In a saved file, where no controls say it. */
  captioned = ({ size, ink }) => ({
    text: this.order.caption, x: 0, y: size, size, bold: true, fill: ink, part: "caption",
  });

  under({ offsetX, offsetY }) {
    const { boxes, order, lift, area: [left, top], pitch: [wide, high] } = this.plan;
    return order.find((head) => {
      const x = offsetX - boxes[head][0] + left, y = offsetY - boxes[head][1] + top + lift;
      return x >= -1 && x < wide - 1 && y >= -1 && y < high - 1;
    }) ?? null;
  }

  told(i) {
    const { boxes, cell: [wide, high] } = this.plan, [x, y] = boxes[i], { header } = this;
    return {
      parts: [header.layers[Math.floor(i / header.heads)], ", ", `head ${(i % header.heads) + 1}`],
      said: headSaid(this, i), x: x + wide / 2, top: y, bottom: y + high,
    };
  }

  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  /** Back from a layer by a key: at the head that was open there. */
  arrive() {
    const left = cameFrom(), { layers, heads } = this.header;
    if (!left || !this.plan) return;
    const row = layers.indexOf(left.layer), here = row * heads + Math.max(0, left.head);
    if (row >= 0 && this.order.heads.includes(here)) this.here = here;
    this.place();
    this.area.focus({ preventScroll: true });
    sayAt(this, this.area.getAttribute("aria-label"));
  }

  pick() {
    const { heads } = this.header, { here } = this;
    if (!this.choosing || here === null) return;
    this.report.now();
    this.emit("head", { layer: Math.floor(here / heads), head: here % heads });
  }

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

export function render(root, data, emit) {
  return live(root, data, emit, () => new Overview(root));
}
