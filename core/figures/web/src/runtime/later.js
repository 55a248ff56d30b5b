/**
 * What a field holds until its value comes, as a picture's header comes with its first numbers: nothing reads
 * it before. The cast says just that.
 * @template T
 * @returns {T}
 */
export const later = () => /** @type {any} */ (undefined);
