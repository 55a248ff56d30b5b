// A plugin of the bundler: of schema.json, what the pictures in a bundle read.
import { readFile } from "node:fs/promises";

const COMPLETES = ["of", "steps"]; // keywords of schema.json

/**
 * Reduces schema.json to what one picture reads, or some pictures do: their own states with the types of their fields,
 * without those of the others, and without what only completes a state, before a picture gets it.
 * @param {readonly string[]} pictures
 * @returns {import("esbuild").Plugin}
 */
export function schemaOf(pictures) {
  return {
    name: "schema",
    setup({ onLoad }) {
      onLoad({ filter: /schema\.json$/ }, async ({ path }) => {
        const { types, states } = JSON.parse(await readFile(path, "utf8"));
        const own = Object.fromEntries(pictures.map((name) => [name, read(states[name])])), named = JSON.stringify(own);
        const used = Object.fromEntries(Object.entries(types).filter(([name]) => named.includes(`"${name}"`)));
        return { loader: "json", contents: JSON.stringify({ types: read(used), states: own }) };
      });
    },
  };
}

/** Fields without what only completes them. @param {Record<string, object> | undefined} fields */
function read(fields) {
  return fields && Object.fromEntries(Object.entries(fields).map(([name, field]) => [
    name, Object.fromEntries(Object.entries(field).filter(([word]) => !COMPLETES.includes(word))),
  ]));
}
