// The link of a page whose text the server does not know yet (`ui/permalink.py` writes all others).
import LIMITS from "../links/limits.json" with { type: "json" };
import { asQuery } from "../links/query.js";

/**
 * The query of the link with other texts; null if only the server can write it.
 * @param {string} search the query of now, with its "?"
 * @param {Readonly<Record<string, string>>} texts by their keys in the link
 */
export function linked(search, texts) {
  const query = new URLSearchParams(search);
  if (query.has(LIMITS.packed)) return null;
  const old = asQuery(query);
  query.set("v", LIMITS.version);
  for (const [key, text] of Object.entries(texts)) if (query.get(key) !== text) query.set(key, text);
  const now = asQuery(query);
  return now.length > LIMITS.most || now === old ? null : `?${now}`;
}
