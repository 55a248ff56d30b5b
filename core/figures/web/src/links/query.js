// Values as the query of an address, letter for letter as the app writes them: `urlencode`.

/** @param {Iterable<readonly [string, string]>} values */
export const asQuery = (values) =>
  new URLSearchParams([...values].map(([key, value]) => [key, value])).toString().replaceAll("%7E", "~").replaceAll("*", "%2A");
