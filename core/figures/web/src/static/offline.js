// The pages without a network: a secure origin has a service worker, which stores the folder at the first visit. Over
// plain http browsers have none; the model stays all the same (`engine/storage.js`), and only reloading needs the server.

const PATIENCE = 4000; // milliseconds until a page begins without waiting for its service worker

const hasWorker = () => isSecureContext && "serviceWorker" in navigator && "caches" in globalThis;

/** Starts the service worker, and waits until it answers for this page. @param {string} root the address of the folder */
export async function keepForOffline(root) {
  if (!hasWorker()) return;
  try {
    await navigator.serviceWorker.register(`${root}sw.js`, { scope: root });
    const { controller } = navigator.serviceWorker;
    if (controller) return;
    await new Promise((done) => {
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
      setTimeout(done, PATIENCE);
    });
  } catch (error) {
    console.error(error); // in a private window, or where it is forbidden: the page then needs its server
  }
}

/** Whether this page opens again without its server. @param {string} root */
export async function mayWorkOffline(root) {
  if (!hasWorker() || !navigator.serviceWorker.controller) return false;
  return (await caches.match(`${root}content.json`).catch(() => undefined)) !== undefined;
}
