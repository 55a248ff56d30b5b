// Sentences of ours in Markdown, as plain text.

/** @param {readonly string[]} sentences */
export const asText = (sentences) => sentences.filter(Boolean).join(" ")
  .replace(/:(?:blue|orange)\[((?:\\.|[^[\]\\])*)\]/g, "$1").replace(/\\([^\w\s])|\*+/g, "$1");
