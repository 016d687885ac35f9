/** Why a database cannot be opened, or not by this program. */
export type StoreRefusal =
  /** It cannot be read as a database, or its content is contradictory. */
  | 'damaged'
  /** Another process has it open, and must be stopped first. */
  | 'in_use'
  | 'missing'
  | 'newer'
  /** An earlier program made it, and only a server migrates it. */
  | 'older'
  /** The path leads to something else: a folder, or a file of another kind. */
  | 'wrong_kind';

/** A database that cannot be opened. The message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly refusal: StoreRefusal;

  constructor(refusal: StoreRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}
