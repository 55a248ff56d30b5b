// Special tokens that a text spells out.
import { test } from "node:test";
import { deepEqual } from "node:assert/strict";
import { specialIn } from "../../../../core/figures/web/src/engine/spelled.js";

const TOKENS = ["[CLS]", "the", "[SEP]", "[SEP]", "[MASK]", "🎣", "[UNK]", "[SEP]"], TEXT = "the [SEP][SEP] [MASK] 🎣 ☃";
const STARTS = [0, 0, 4, 9, 15, 22, 24, 0], ENDS = [0, 3, 9, 14, 21, 23, 25, 0];

test("a special token counts where the text has its letters, once; the mask is there to be written", () => {
  const added = new Set([0, 2, 3, 4, 6, 7]);
  deepEqual(specialIn({ text: TEXT, ids: TOKENS.map((_, i) => i), tokens: TOKENS, starts: STARTS, ends: ENDS }, (id) => added.has(id)), ["[SEP]"]);
  deepEqual(specialIn({ text: TEXT, ids: TOKENS.map((_, i) => i), tokens: TOKENS, starts: STARTS, ends: ENDS }, () => false), []);
});
