// Weights in a third to a half of their bytes, as `packed.py` writes them.
const ESCAPE = 255, FINE = 65535;

/** (rows × columns) weights, from each row's largest and step, those that stand apart, and the bytes. */
export function unpackedWeights(bytes, rows, columns, apart) {
  const { buffer } = bytes, most = new Float32Array(buffer, 0, rows),
    step = new Float32Array(buffer, 4 * rows, rows), fine = new Uint16Array(buffer, 8 * rows, apart);
  const levels = bytes.subarray(8 * rows + 2 * apart), found = new Float32Array(rows * columns);
  for (let r = 0, at = 0, next = 0; r < rows; r++) {
    const own = step[r], part = most[r] / FINE;
    for (const end = at + columns; at < end; at++) {
      found[at] = levels[at] === ESCAPE ? fine[next++] * part : levels[at] * own;
    }
  }
  return found;
}
