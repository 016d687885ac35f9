/** Input of a tiled log is malformed, or has an impossible size. The message names what is wrong. */
export class TlogError extends Error {
  override readonly name = 'TlogError';
}
