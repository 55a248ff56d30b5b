// Weights in a third to a half of their bytes, as `packed.py` writes them.
const ESCAPE = 255, FINE = 65535;

/**
 * (rows × columns) weights, from each row's largest and step, the columns that were sent as they are,
 * the weights that stand apart, and a byte for each of the others; NaN in a row that is missing.
 */
export function unpackedWeights(bytes, rows, columns, apart, exact) {
  const { buffer } = bytes, wide = exact.length;
  const most = new Float32Array(buffer, 0, rows), step = new Float32Array(buffer, 4 * rows, rows);
  const whole = new Float32Array(buffer, 8 * rows, rows * wide);
  const fine = new Uint16Array(buffer, 8 * rows + 4 * rows * wide, apart);
  const levels = bytes.subarray(8 * rows + 4 * rows * wide + 2 * apart);
  const own = new Set(exact), found = new Float32Array(rows * columns);
  const others = Array.from({ length: columns }, (_, c) => c).filter((c) => !own.has(c));
  for (let r = 0, at = 0, next = 0; r < rows; r++) {
    const start = r * columns, part = most[r] / FINE;
    for (let x = 0; x < wide; x++) found[start + exact[x]] = whole[r * wide + x];
    for (const c of others) {
      const level = levels[at++];
      found[start + c] = level === ESCAPE ? fine[next++] * part : level * step[r];
    }
  }
  return found;
}
