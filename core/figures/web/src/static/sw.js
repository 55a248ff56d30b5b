// @ts-nocheck: a service worker has other globals than a page.
/* global clients */
// Answers for the folder when there is no network. The pages and pictures are stored when it is installed; run-time and
// weights when they have first been fetched, under their own name, so that a new edition of the pages keeps them.
// `tools/static.py` fills in what follows.
const EDITION = "%EDITION%", SHELL = "%SHELL%", MODEL = "%MODEL%";
const PAGES = `polysee pages ${EDITION}`, WEIGHTS = `polysee model ${MODEL}`;
const root = new URL("./", self.location.href).href;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const pages = await caches.open(PAGES);
    await pages.addAll(SHELL.map((path) => new Request(root + path, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("polysee ") && name !== PAGES && name !== WEIGHTS) await caches.delete(name);
    }
    await clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(root)) return;
  const path = url.href.slice(root.length).split(/[?#]/)[0];
  if (request.mode === "navigate") {
    event.respondWith(opened(path, url));
    return;
  }
  const heavy = path.startsWith("engine/");
  event.respondWith((async () => {
    const name = heavy ? WEIGHTS : PAGES, store = await caches.open(name), known = await store.match(root + path);
    if (known) return known;
    const answer = await fetch(request);
    if (answer.ok && answer.status === 200 && (heavy || SHELL.includes(path))) event.waitUntil(store.put(root + path, answer.clone()));
    return answer;
  })());
});

/** A page, whatever its query; `heads` is `heads/`, as every server of a folder has it. */
async function opened(path, url) {
  const page = path.replace(/index\.html$/, "");
  if (page && !page.endsWith("/") && SHELL.includes(`${page}/`)) return Response.redirect(`${root}${page}/${url.search}`);
  const known = await (await caches.open(PAGES)).match(root + page);
  return known ?? fetch(url.href);
}
