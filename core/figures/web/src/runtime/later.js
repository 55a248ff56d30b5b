/**
 * The value of a field before its real value arrives, as a picture's header arrives with its first numbers.
 * Nothing reads the field before; the cast states that.
 * @template T
 * @returns {T}
 */
export const later = () => /** @type {any} */ (undefined);
