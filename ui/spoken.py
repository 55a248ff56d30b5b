"""The language of what a component draws by itself: its catalogue comes before its first words.

All components of a page have one language, that of the content which they belong to. The browser keeps
what it has fetched, and `core/figures/web/src/runtime/language.js` reads it.
"""

from __future__ import annotations

from ui.serving import sent_once

# `speak(address)` is for the script of a component: it sets the language of the page, and returns null
# if the language is there, else a promise. Where a catalogue does not come, the words are English.
SPEAK = """
const catalogues = (globalThis.polyseeCatalogues ??= new Map());
const speak = (address) => {
  globalThis.polyseeSpeaks = address;
  const set = (own) => { if (globalThis.polyseeSpeaks === address) globalThis.polyseeLanguage = own; };
  if (!address) return set(null) ?? null;
  const known = catalogues.get(address);
  if (known && !(known instanceof Promise)) return set(known) ?? null;
  const coming = known ?? fetch(new URL(address, document.baseURI)).then((answer) => answer.json())
    .then((own) => { catalogues.set(address, own); return own; })
    .catch(() => { catalogues.delete(address); return null; });
  if (!known) catalogues.set(address, coming);
  return coming.then(set);
};
"""


def address() -> str | None:
    """Of the catalogue of this context's language, for `speak`; None for English."""
    return sent_once.words()
