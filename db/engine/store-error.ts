/** Why a database cannot be opened, or not by who asks. */
export type StoreRefusal =
  /** It cannot be read as a database, or what it holds contradicts itself. */
  | 'damaged'
  /** Another process has it, and must be ended first. */
  | 'in_use'
  | 'missing'
  | 'newer'
  /** An earlier program made it, and only a server migrates. */
  | 'older'
  /** What is there is something else: a folder, or a file of another kind. */
  | 'wrong_kind';

/** What cannot be opened; the message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly refusal: StoreRefusal;

  constructor(refusal: StoreRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}
