// Runs a task when the browser is idle; Safari has no such callback.
/** @type {(act: () => void, options?: { timeout: number }) => number} */
export const whenIdle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50));
