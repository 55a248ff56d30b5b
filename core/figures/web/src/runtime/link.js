// Pictures beside each other: what is chosen or pointed at in one is shown in the others of its group.
const EVENT = "polysee-link";
const TOKENS = { query: "queries", key: "keys" };

export class Link {
  /** `heard(kind, change)` is called with what another picture tells, tokens by their places here. */
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

  /** `kind` is "state" for what is chosen, "lit" for what is pointed at. */
  tell(kind, change) {
    if (!this.own) return;
    const told = this.turned(change, (known, place) => known[place] ?? -1);
    const detail = { from: this.picture, group: this.own.group, kind, change: told };
    document.dispatchEvent(new CustomEvent(EVENT, { detail }));
  }

  /** A token that the others do not have is none to them. */
  turned(change, turn) {
    const found = { ...change };
    for (const [what, of] of Object.entries(TOKENS)) {
      if (typeof found[what] !== "number") continue;
      const to = turn(this.own[of], found[what]);
      found[what] = to < 0 ? null : to;
    }
    return found;
  }
}
