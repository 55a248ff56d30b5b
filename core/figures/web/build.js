// Bundles each picture with its imports into one script in dist/, which is committed, so that nobody needs
// Node to run Polysee. `make dist` runs it; a test fails if dist/ is older than src/.
import { createHash } from "node:crypto";
import { copyFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { constantsOf, schemaOf } from "./reduced.js";
import { write as writeStates } from "./states.js";

const here = new URL(".", import.meta.url), out = new URL("dist/", here);

// The entry module of each picture, after which its file in dist/ is named.
const PICTURES = {
  heatmap: "matrix/heatmap",
  strips: "matrix/strips",
  places: "matrix/places",
  lens: "matrix/lens",
  lines: "charts/lines",
  bars: "charts/bars",
  shares: "charts/shares",
  plane: "points/plane",
  space: "points/space",
  cloud: "points/cloud",
  wordmap: "points/wordmap",
  overview: "overview/overview",
  layer: "layer/layer",
  steps: "steps/steps",
  forward: "forward/forward",
  trajectory: "trajectory/trajectory",
  concordance: "concordance/concordance",
  nextword: "nextword/nextword",
  shaded: "writing/shaded",
  branches: "writing/branches",
};

// The model in the browser: a script for a page, and the one of the worker that it starts; what the app fetches to
// follow a text box with it, and for a choice of the graphics card; and what runs in a saved page that has a model inside: a comparison, or Next word. Then the
// view that trains a model on a text, and the worker in which it learns. All are modules.
const ENGINE = {
  engine: "engine/engine", worker: "engine/worker", device: "device/index", graphics: "device/graphics", saved: "saved/saved", speaking: "saved/speaking",
  owntext: "owntext/tab", ownworker: "owntext/worker",
};

const SENTENCES = "../../sentences/table.json"; // which Python reads as well

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
    plugins: [schemaOf([name])],
    // A notebook's output and a saved page cannot import a neighbouring file. Each bundle is therefore a
    // plain script that defines one name, `render`, in the function or module around it.
    format: "iife",
    globalName: "picture",
    footer: { js: "const { render } = picture;" },
  });
}
for (const [name, file] of Object.entries(ENGINE)) {
  /** @type {import("esbuild").BuildOptions} */
  const options = {
    absWorkingDir: fileURLToPath(here),
    entryPoints: { [name]: `src/${file}.js` },
    outdir: "dist/engine",
    bundle: true,
    minify: true,
    charset: "utf8",
    legalComments: "eof",
    target: "es2022",
    format: "esm",
    loader: { ".css": "text" },
  };
  await build({ ...options, plugins: [await constantsOf(options)] });
}
await copyFile(new URL("node_modules/@jax-js/jax/LICENSE", here), new URL("engine/jax-js.txt", out));
await copyFile(new URL("node_modules/@noble/hashes/LICENSE", here), new URL("engine/noble-hashes.txt", out));
await writeFile(new URL("sources.sha256", out), `${await digest()}\n`);

/** The checksum of everything that dist/ is built from, as `core.figures.web.bundle.sources` computes it. */
async function digest() {
  const files = (await readdir(new URL("src/", here), { recursive: true }))
    .map((name) => `src/${name.replaceAll("\\", "/")}`).filter((name) => /\.(js|json|css)$/.test(name));
  const hash = createHash("sha256");
  for (const name of [...files, SENTENCES, "build.js", "reduced.js", "package-lock.json"].sort()) {
    hash.update(`${name}\n`).update(await readFile(new URL(name, here)));
  }
  return hash.digest("hex");
}
