// A picture as an anywidget. The code of its module, which defines `render`, precedes this file.
//
// Each choice is a separate trait. A choice in Python is sent to the picture as a page would send it;
// a choice in the picture sets the traits. `runtime/report.js` decides which of the two applies.
const NOTEBOOK = "notebook"; // one visit, as long as the picture is displayed

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** The element of the picture: below its sentences, if it has any, which Python has escaped. */
function belowWords(el, words) {
  if (!words) return el;
  const above = document.createElement("div"), host = document.createElement("div");
  above.innerHTML = words;
  el.append(above, host);
  return host;
}

function widget({ model, el }) {
  const host = belowWords(el, model.get("_words"));
  const fields = model.get("_fields");
  const chosen = () => Object.fromEntries(fields.map((name) => [name, model.get(name)]));
  let heard = 0, bytes = bytesOf(model.get("_numbers")), waits = false, gone = false, drawn = null;

  const emit = (name, told) => {
    if (name === "state") {
      heard = told.n;
      for (const field of fields) model.set(field, told[field]);
    } else if (model.get("_clicks").includes(name)) {
      model.set("clicked", told);
    } else return;
    model.save_changes();
  };
  const show = () => {
    waits = false;
    if (gone) return;
    drawn = render(host, {
      bytes, heard, height: model.get("_height"), state: fields.length ? chosen() : null, visit: NOTEBOOK,
      autoplay: model.get("_autoplay"), events: ["state", ...model.get("_clicks")], library: model.get("_library") || null,
    }, emit);
  };
  // Several traits change together: the picture is shown once.
  const later = () => {
    if (!waits) queueMicrotask(show);
    waits = true;
  };
  const renewed = () => {
    bytes = bytesOf(model.get("_numbers"));
    later();
  };
  const asked = async ({ save, id }) => {
    if (!save) return;
    try {
      const { blob } = await drawn.made(save);
      model.send({ saved: id }, undefined, [await blob.arrayBuffer()]);
    } catch (error) {
      model.send({ failed: id, why: String(error) });
    }
  };

  model.on("change:_numbers", renewed);
  for (const field of [...fields, "_height"]) model.on(`change:${field}`, later);
  model.on("msg:custom", asked);
  show();
  model.send({ displayed: true });
  return () => {
    gone = true;
    model.off("change:_numbers", renewed);
    for (const field of [...fields, "_height"]) model.off(`change:${field}`, later);
    model.off("msg:custom", asked);
    model.send({ displayed: false });
    drawn();
  };
}

export default { render: widget };
