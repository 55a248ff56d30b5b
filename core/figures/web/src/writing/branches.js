// The tree of the continuations that were tried; values are (nodes), the probability of each token.
/** @import { Emit, Look, Root, Sent, Still, Tip } from "../types" */
/** @import { BranchesHeader } from "../headers" */
/** @import { BranchesPlan, Tree } from "./branchesplan" */
import { decimal, m } from "../runtime/language.js";
import { lookOf, roomIn, tenTo } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { later } from "../runtime/later.js";
import { Scrolling, shortened } from "../runtime/scrolling.js";
import { precisely } from "../charts/barsplan.js";
import { branchesPlan, nextNode, pathTo, treeOf } from "./branchesplan.js";

const TABLE_ROWS = 300;
const BEFORE = 5; // tokens before a node that the table repeats
const LARGEST = 8000; // pixels of a side of a PNG with the whole tree
const BARE = { plus: false };

/** @extends {Scrolling<BranchesHeader, undefined, BranchesPlan>} */
class Branches extends Scrolling {
  /** @type {Tree} */
  tree = later();
  /** The logarithm to base 10 of the probability of each path. @type {number[]} */
  paths = [];

  /** @param {Root} root */
  constructor(root) {
    super(root, m("tree"));
  }

  /** @param {boolean} first */
  take(first) {
    const { header: { parents, labels, left, chosen }, values } = this;
    this.tree = treeOf(parents, chosen);
    this.paths = [];
    parents.forEach((parent, i) => {
      this.paths[i] = (parent < 0 ? 0 : this.paths[parent]) + Math.log10(values[i]);
    });
    this.begin(first, labels.length);
    const [on, back] = left ? [m("Left"), m("Right")] : [m("Right"), m("Left")];
    this.keys.textContent = m("{on} goes to what follows, {back} to what stands before, Up and Down to the other continuations of a fork, "
      + "Home to the start, End to the end of the chosen path.", { on, back }) + (this.choosing ? m(" Enter chooses.") : "");
    this.tabulateNodes();
  }

  tabulateNodes() {
    const { header: { labels, chosen, parents }, values } = this, path = new Set(pathTo(parents, chosen));
    const rows = [...labels.keys()].slice(0, TABLE_ROWS), few = rows.length < labels.length;
    this.tabulate(
      few ? m("The first {count} of {all} tokens of the tree", { count: rows.length, all: labels.length }) : m("All {count} tokens of the tree", { count: labels.length }),
      [m("token"), m("after"), m("probability"), m("of the whole path"), ...(chosen === null ? [] : [m("on the chosen path")])],
      rows.map((i) => [
        this.name(i), this.before(i), precisely(values[i], BARE), this.whole(i), ...(chosen === null ? [] : [path.has(i) ? "yes" : ""]),
      ]),
    );
  }

  /** The name of a node: of the text before a tree, its end. @param {number} i */
  name(i) {
    return shortened(this.header.labels[i], this.header.parents[i] < 0);
  }

  /** The tokens before a node. @param {number} i */
  before(i) {
    const all = pathTo(this.header.parents, i).slice(0, -1), near = all.slice(-BEFORE);
    return `${near.length < all.length ? "…" : ""}${near.map((at) => this.name(at)).join(" ")}`;
  }

  /** The probability of all tokens up to a node together, however small. @param {number} i */
  whole(i) {
    const power = this.paths[i];
    if (power === -Infinity) return "0";
    if (power > -6) return precisely(10 ** power, BARE);
    const exponent = Math.floor(power), mantissa = (10 ** (power - exponent)).toFixed(2);
    return mantissa === "10.00" ? `${decimal("1.00")}·${tenTo(exponent + 1)}` : `${decimal(mantissa)}·${tenTo(exponent)}`;
  }

  /** @param {Look} look */
  paint(look) {
    return this.taking(branchesPlan(this, this.tree, look, this.view, roomIn(this.frame)));
  }

  /** The whole tree, if a PNG can be so large; otherwise, what is in view. @param {number} ratio @returns {Still} */
  still(ratio) {
    const look = lookOf(this.frame), whole = branchesPlan(this, this.tree, look, { left: 0, top: 0, reveal: null }, Infinity, true);
    const width = Math.max(this.width, Math.ceil(whole.area[2])), header = { ...this.header, height: whole.high };
    const fits = ratio === Infinity || ratio * Math.max(width, whole.high) <= LARGEST;
    return fits ? { look, shapes: whole.shapes, width, header } : { look, shapes: this.plan.shapes };
  }

  /** @param {MouseEvent} event */
  under(event) {
    return this.plan.at(...this.placeOf(event));
  }

  /** @param {number} i @returns {Tip} */
  tipOf(i) {
    const { header: { chosen, parents }, values, tree, plan } = this;
    const [x, top, wide, high] = plan.box(i) ?? plan.area;
    const said = [m("probability {share}", { share: precisely(values[i], BARE) })];
    if (parents[i] >= 0) said.push(m("of the path up to here {share}", { share: this.whole(i) }));
    if (pathTo(parents, chosen).includes(i)) said.push(m("on the chosen path"));
    const next = tree.children[i].length;
    if (next !== 1) said.push(next ? m("{count} continuations", { count: next }) : m("the path ends here"));
    return this.inView({ parts: [this.name(i)], said: said.join(", "), x: x + wide / 2, top, bottom: top + high });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const { here, header: { chosen, left } } = this;
    return here === null || this.picks(event) ? here : nextNode(this.tree, chosen, here, event, left);
  }

  place() {
    const box = this.here === null ? null : this.plan.box(this.here);
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (!box) return;
    const [left, top, width, height] = [box[0] - 1, box[1] - 1, box[2] + 2, box[3] + 2].map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Branches(root));
}
