// What can wait until the browser has nothing else to do; Safari does not tell.
/** @type {(act: () => void, options?: { timeout: number }) => number} */
export const whenIdle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50));
