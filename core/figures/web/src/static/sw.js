// @ts-nocheck: a service worker has other globals than a page.
/* global clients */
// Answers for the folder where there is no network: it stores pages, pictures and the engine's scripts when it is
// installed. The model itself is stored by the engine. `tools/static.py` fills in the edition and the names.
const EDITION = "%EDITION%", SHELL = "%SHELL%", LATER = "%LATER%";
const CACHE = `polysee pages ${EDITION}`, root = new URL("./", self.location.href).href;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL.map((path) => new Request(root + path, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("polysee pages ") && name !== CACHE) await caches.delete(name);
    }
    await clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const url = new URL(request.url), path = url.pathname.slice(new URL(root).pathname.length).replace(/(^|\/)index\.html$/, "$1");
  const folder = `${path}/`;
  if (request.mode === "navigate" && SHELL.includes(folder)) {
    event.respondWith(Response.redirect(root + folder + url.search)); // as every server of a folder does
  } else if (SHELL.includes(path)) event.respondWith(stored(root + path, request));
  else if (LATER.includes(path)) event.respondWith(storedNow(root + path, request));
});

/** What is stored is what this edition of the folder has; if the browser has thrown it away, the server is asked. */
async function stored(address, request) {
  return (await (await caches.open(CACHE)).match(address)) ?? fetch(request);
}

/** What only some visitors choose is stored when it is first fetched. */
async function storedNow(address, request) {
  const cache = await caches.open(CACHE), found = await cache.match(address);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(address, response.clone());
  return response;
}
