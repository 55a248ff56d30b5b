// Bundles the pictures that an address can carry (`src/embed/carried.js`) for the frame in which it shows them:
// `node embedded.js OUT`. They are modules that share what both need, and what saves a picture is one of its own, which is
// fetched when somebody presses its button: a frame takes less than 60 kB before that (tests/tools/test_static.py).
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { schemaOf } from "./reduced.js";

const PICTURES = { bars: "src/charts/bars.js", trajectory: "src/trajectory/trajectory.js" };
const here = fileURLToPath(new URL(".", import.meta.url)), later = fileURLToPath(new URL("src/embed/savelater.js", import.meta.url));

await build({
  absWorkingDir: here,
  entryPoints: PICTURES,
  outdir: process.argv[2],
  bundle: true,
  splitting: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  target: "es2022",
  format: "esm",
  plugins: [schemaOf(Object.keys(PICTURES)), {
    name: "save later",
    setup({ onResolve }) {
      onResolve({ filter: /\/savemenu\.js$/ }, ({ importer }) => (importer === later ? null : { path: later }));
    },
  }],
});
