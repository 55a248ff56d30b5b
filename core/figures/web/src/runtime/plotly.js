// Plotly, which draws in three dimensions: loaded once a page, when the first such picture asks for it.
/** @import { PlotlyApi } from "../types" */
const LOADED = Symbol.for("polysee plotly");
const PACKED = "polysee-plotly"; // the element of a saved page or a notebook that holds it, packed

/** @type {typeof globalThis & { [LOADED]?: Promise<PlotlyApi>, Plotly?: PlotlyApi, moduleName?: unknown }} */
const page = globalThis;

/**
 * Plotly, from the source that the page provides. Another version that the page itself uses stays untouched.
 * @param {string | null} library the address of its script, or the script packed by `packed`; null: the page
 *   contains it packed
 * @returns {Promise<PlotlyApi>}
 */
export function plotly(library) {
  return (page[LOADED] ??= load(library).catch((fault) => {
    delete page[LOADED]; // the next picture tries again
    throw fault;
  }));
}

/** @param {string | null} library */
async function load(library) {
  const script = document.createElement("script"), own = page.Plotly;
  if (library?.startsWith("/")) {
    await new Promise((resolve, reject) => {
      Object.assign(script, { src: new URL(library, document.baseURI).href, onload: resolve, onerror: reject });
      document.head.append(script);
    });
  } else {
    const packed = library ?? document.getElementById(PACKED)?.textContent;
    if (!packed) throw new Error("Plotly is not in this page.");
    script.textContent = await unpacked(packed);
    document.head.append(script); // runs at once
  }
  script.remove();
  const loaded = page.Plotly;
  if (!loaded) throw new Error("Plotly did not start.");
  if (own) page.Plotly = own;
  else delete page.Plotly;
  delete page.moduleName;
  return loaded;
}

/** A text as `core.figures.web.bundle.packed` packs it: gzip in base64. @param {string} text */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
