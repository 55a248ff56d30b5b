// Which script a page of the folder needs: an embedded picture begins with less, until a visitor asks for the model. In a
// frame, it tells the page around it how high it is, which `show.js` hears.
import { isEmbedded } from "./address.js";
import { speak } from "./language.js";

const isInside = isEmbedded(location.search), script = isInside ? "embed.js" : "static.js"; // beside this one
if (isInside && parent !== window) {
  new ResizeObserver(() => parent.postMessage({ polysee: document.body.offsetHeight }, "*")).observe(document.body);
}
const found = new URL(script, import.meta.url).href;
// A page whose catalogue does not arrive is an English one.
speak(new URL(document.documentElement.dataset.root ?? ".", location.href).href).catch((error) => console.error(error)).then(() => import(found));
