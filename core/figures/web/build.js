// Bundles each picture and all that it imports into one script under dist/, which is committed: whoever
// runs Polysee needs no Node. `make dist` runs it; a test says where dist/ is older than src/.
import { createHash } from "node:crypto";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { write as writeStates } from "./states.js";

const here = new URL(".", import.meta.url), out = new URL("dist/", here);

// Each picture's own module: its file in dist/ has its name.
const PICTURES = {
  heatmap: "matrix/heatmap",
  strips: "matrix/strips",
  places: "matrix/places",
  lines: "charts/lines",
  bars: "charts/bars",
  plane: "points/plane",
  space: "points/space",
  cloud: "points/cloud",
  overview: "overview/overview",
  layer: "layer/layer",
  working: "working/working",
  trajectory: "trajectory/trajectory",
};

await writeStates();
await rm(out, { recursive: true, force: true });
for (const [name, file] of Object.entries(PICTURES)) {
  await build({
    absWorkingDir: fileURLToPath(here), // a pathname has %20 for a space
    entryPoints: { [name]: `src/${file}.js` },
    outdir: "dist",
    bundle: true,
    minify: true,
    charset: "utf8",
    legalComments: "none",
    target: "es2022",
    plugins: [schemaOf(name)],
    // A notebook's output and a saved page cannot import a file from beside themselves. So each is a plain
    // script that leaves one name, `render`, to the function or the module that it is put into.
    format: "iife",
    globalName: "picture",
    footer: { js: "const { render } = picture;" },
  });
}
await writeFile(new URL("sources.sha256", out), `${await digest()}\n`);

/**
 * Of schema.json what one picture reads: its own state, and not those of all others.
 * @param {string} picture
 * @returns {import("esbuild").Plugin}
 */
function schemaOf(picture) {
  return {
    name: "schema",
    setup({ onLoad }) {
      onLoad({ filter: /schema\.json$/ }, async ({ path }) => {
        const { types, states } = JSON.parse(await readFile(path, "utf8"));
        return { loader: "json", contents: JSON.stringify({ types, states: { [picture]: states[picture] } }) };
      });
    },
  };
}

/** Of all that dist/ is made of, as `core.figures.web.bundle.sources` works it out too. */
async function digest() {
  const files = (await readdir(new URL("src/", here), { recursive: true }))
    .map((name) => `src/${name.replaceAll("\\", "/")}`).filter((name) => /\.js(on)?$/.test(name));
  const hash = createHash("sha256");
  for (const name of [...files, "build.js", "package-lock.json"].sort()) {
    hash.update(`${name}\n`).update(await readFile(new URL(name, here)));
  }
  return hash.digest("hex");
}
