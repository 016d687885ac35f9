/** Why facts cannot be used. */
export type FactsFault =
  /** An object that the index names is not in the object store. A newer index may name another one. */
  | 'missing'
  /** An object does not have the content that its key names, or another program's format. */
  | 'damaged'
  /** Only the board's database has the answer. */
  | 'live';

export class FactsError extends Error {
  override name = 'FactsError';
  readonly fault: FactsFault;

  constructor(fault: FactsFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
