// Linked pictures: what is chosen or pointed at in one is shown in the others of its group.
/** @import { Change, ChangeKind, LinkDetail, AnyPicture } from "../types" */
const EVENT = "polysee-link";
const TOKENS = /** @type {const} */ ({ query: "queries", key: "keys" });

export class Link {
  /**
   * `heard(kind, change)` receives the events of another picture, with token positions of this one.
   * @param {AnyPicture} picture
   * @param {(kind: ChangeKind, change: Change) => void} heard
   */
  constructor(picture, heard) {
    this.picture = picture;
    picture.on(document, EVENT, ({ detail: { from, group, kind, change } }) => {
      if (from === picture || group !== this.own?.group) return;
      if (kind === "state") picture.report.follows(from?.report ?? null);
      heard(kind, this.turned(change, (known, number) => known.indexOf(number)));
    });
  }

  /** The header's {group, queries, keys}: the number that each token has in the group, or null. */
  get own() {
    return this.picture.header?.link;
  }

  /**
   * @param {ChangeKind} kind
   * @param {Change | null} change
   */
  tell(kind, change) {
    if (!this.own) return;
    const told = this.turned(change, (known, place) => known[place] ?? -1);
    /** @type {LinkDetail} */
    const detail = { from: this.picture, group: this.own.group, kind, change: told };
    document.dispatchEvent(new CustomEvent(EVENT, { detail }));
  }

  /**
   * A change in the tokens of the group; a token that the others do not have becomes null.
   * @param {Change | null} change
   * @param {(known: readonly (number | null)[], token: number) => number} turn from here to the group, or back
   */
  turned(change, turn) {
    const found = { ...change }, { own } = this;
    for (const what of /** @type {const} */ (["query", "key"])) {
      const token = found[what];
      if (!own || typeof token !== "number") continue;
      const to = turn(own[TOKENS[what]], token);
      found[what] = to < 0 ? null : to;
    }
    return found;
  }
}
