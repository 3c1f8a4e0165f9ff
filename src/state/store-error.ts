/** A store that cannot be used at all, or a setting that names none: nothing is started on it. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
