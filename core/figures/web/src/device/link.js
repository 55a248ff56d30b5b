// The link of a page whose text the server does not know yet (`ui/permalink.py` writes all others).
const MOST = 7000; // characters, as there
const PACKED = "z"; // one key that holds all choices, which only the server writes

/**
 * The query of the link with other texts; null if only the server can write it.
 * @param {string} search the query of now, with its "?"
 * @param {Readonly<Record<string, string>>} texts by their keys in the link
 */
export function linked(search, texts) {
  const query = new URLSearchParams(search);
  if (query.has(PACKED)) return null;
  const old = query.toString();
  query.set("v", "2");
  for (const [key, text] of Object.entries(texts)) if (query.get(key) !== text) query.set(key, text);
  const now = query.toString();
  return now.length > MOST || now === old ? null : `?${now}`;
}
