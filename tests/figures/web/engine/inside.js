// Puts the files that a test has made into a page, as a browser does: `inside.js INPUT OUTPUT`, both JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { savedFile } from "../../../../core/figures/web/src/saved/file.js";

const [input, output] = process.argv.slice(2), { files, ...page } = JSON.parse(readFileSync(input, "utf8"));
const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, "base64"))]));
const parts = await savedFile({ ...page, files: bytes }, async (one) => new Uint8Array(gzipSync(one)), "0123");
writeFileSync(output, JSON.stringify(parts.join("")));
