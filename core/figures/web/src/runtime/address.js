// What a visitor has chosen in a picture, as it stands in the address of the page that shows it.
import { MEAN } from "../layer/state.js";

const counted = (i) => (i === MEAN ? "mean" : String(i + 1)); // from 1, as on the screen
const TEXTS = {
  on: (heads) => heads.map(counted).join(".") || "none",
  head: counted,
  query: counted,
  key: counted,
  special: (shown) => String(Number(shown)),
};

/** The texts of a state, "" for what is as `usual` or not chosen; as `ui.layer_state.write` has them. */
function texts(state, { keys, usual }) {
  return Object.keys(keys).map((what) => {
    const value = state[what] ?? null, same = JSON.stringify(value) === JSON.stringify(usual[what]);
    return [keys[what], value === null || same ? "" : (TEXTS[what] ?? String)(value)];
  });
}

/** Adds an address to the browser's history. What stands beside a packed state counts more than it. */
export function writeAddress(state, address) {
  const { order, packed, version } = address, url = new URL(location.href);
  const query = url.searchParams;
  for (const [key, text] of texts(state, address)) {
    if (text || query.has(packed)) query.set(key, text);
    else query.delete(key);
  }
  for (const [key, number] of Object.entries(version)) query.set(key, number);
  const place = ([key]) => (order.includes(key) ? order.indexOf(key) : order.length);
  const all = [...query].sort((one, other) => place(one) - place(other));
  url.search = all.length > 1 ? new URLSearchParams(all) : "";
  if (url.search !== location.search) history.pushState({}, "", url);
}
