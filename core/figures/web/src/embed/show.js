// What another page loads to show a page of this folder: it puts a frame behind its own tag, as high as what is in it.
{
  const own = /** @type {HTMLScriptElement} */ (document.currentScript), frame = document.createElement("iframe"), { address = "", height = "400" } = own.dataset;
  const source = new URL(address, own.src);
  if (source.origin === new URL(own.src).origin) { // a frame of its own site, whatever the attribute says
    Object.assign(frame, { src: source, title: own.dataset.title ?? "Polysee", width: "100%", height, loading: "lazy", style: "border:0" });
    addEventListener("message", ({ source: from, data }) => {
      const { polysee } = data ?? {};
      if (from === frame.contentWindow && Number.isFinite(polysee)) frame.height = String(Math.min(Math.max(polysee, 80), 5000));
    });
    own.after(frame);
  }
}
