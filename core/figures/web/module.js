// Bundles a script and all that it imports into one module: `node module.js ENTRY OUT`, for a page without Python
// (`tools/static.py`). The pictures, which are plain scripts, are built by build.js.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [entry, out] = process.argv.slice(2);

await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: [entry],
  outfile: out,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "eof",
  target: "es2022",
  format: "esm",
});
