// Plugins of the bundler: of schema.json and of constants.json, what a bundle reads.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";

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

/**
 * Reduces derive/constants.json to the keys that the modules of a bundle name. A worker needs a tenth of it.
 * @param {import("esbuild").BuildOptions} options of the bundle
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function constantsOf(options) {
  const { metafile } = await build({ ...options, write: false, metafile: true });
  /** @type {Map<string, Set<string>>} the keys that are named, by the file that holds them */
  const named = new Map();
  for (const name of Object.keys(metafile.inputs).filter((one) => one.endsWith(".js"))) {
    const path = resolve(options.absWorkingDir ?? "", name), source = await readFile(path, "utf8");
    const file = /import CONSTANTS from "([^"]*constants\.json)"/.exec(source)?.[1];
    if (!file) continue;
    const at = resolve(dirname(path), file), keys = named.get(at) ?? named.set(at, new Set()).get(at);
    const code = source.replace(/\/\*[^]*?\*\/|\/\/.*/g, ""); // what a comment names is not read
    const whole = [...code.matchAll(/\{([^{}=;]*)\} = CONSTANTS\b(?!\.)/g)], single = [...code.matchAll(/CONSTANTS\.(\w+)/g)];
    if (whole.length + single.length + 1 !== [...code.matchAll(/\bCONSTANTS\b/g)].length) throw new Error(`${name} names no keys of CONSTANTS`);
    for (const [, key] of single) keys?.add(key);
    for (const [, inner] of whole) for (const one of inner.split(",")) keys?.add(one.split(":")[0].trim());
  }
  return {
    name: "constants",
    setup({ onLoad }) {
      onLoad({ filter: /constants\.json$/ }, async ({ path }) => {
        const every = Object.entries(JSON.parse(await readFile(path, "utf8"))), keys = named.get(path);
        return { loader: "json", contents: JSON.stringify(Object.fromEntries(every.filter(([key]) => !keys || keys.has(key)))) };
      });
    },
  };
}
