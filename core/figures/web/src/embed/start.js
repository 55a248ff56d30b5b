// Which script a page of the folder needs: an embedded picture begins with less, until a visitor asks for the model.
import { isEmbedded } from "./address.js";

const script = isEmbedded(location.search) ? "embed.js" : "static.js"; // beside this one
import(new URL(script, import.meta.url).href);
