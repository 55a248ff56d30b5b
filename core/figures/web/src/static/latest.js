// Work that reads what is newest when it begins: however often it is asked for while it is being done, it is done once
// more, and not once for each.

/**
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>} resolves when nothing is left to do
 */
export function latest(work) {
  let wanted = false;
  /** @type {Promise<void> | null} */
  let going = null;
  const run = async () => {
    while (wanted) {
      wanted = false;
      await work();
    }
    going = null;
  };
  return () => {
    wanted = true;
    return (going ??= run());
  };
}
