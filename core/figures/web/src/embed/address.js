// How an address says that its page is embedded in another one: `?embed` in the query, the picture behind the "#".
const EMBED = "embed";

/** Whether a page shows its picture alone. @param {string} search the address from its question mark on */
export const isEmbedded = (search) => new URLSearchParams(search).has(EMBED);

/**
 * The address of a page as it is embedded.
 * @param {string} address of the page in its state @param {string} carried the picture; "" for none
 */
export function embedded(address, carried) {
  const [before] = address.split("#");
  return `${before}${before.includes("?") ? "&" : "?"}${EMBED}${carried ? `#${carried}` : ""}`;
}

/** The same page outside of a frame. @param {string} address */
export function outside(address) {
  const url = new URL(address);
  url.hash = "";
  url.search = url.search.replace(/([?&])embed(=[^&]*)?(&|$)/, (_, before, __, after) => (after ? before : ""));
  return url.href;
}
