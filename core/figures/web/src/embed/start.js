// Which script a page of the folder needs: an embedded picture begins with less, until a visitor asks for the model;
// this is then loaded again, as `start.js?live`, for the whole page and its catalogue. In a frame, it tells the page around
// it how high it is, which `show.js` hears.
import { isEmbedded } from "./address.js";
import { speak } from "./language.js";

const isInside = isEmbedded(location.search), isLive = import.meta.url.endsWith("?live"), isSmall = isInside && !isLive;
if (isSmall && parent !== window) {
  new ResizeObserver(() => parent.postMessage({ polysee: document.body.offsetHeight }, "*")).observe(document.body);
}
const found = new URL(isSmall ? "embed.js" : "static.js", import.meta.url).href; // beside this one
// A page whose catalogue does not arrive is an English one.
speak(new URL(document.documentElement.dataset.root ?? ".", location.href).href, isSmall).catch((error) => console.error(error)).then(() => import(found));
