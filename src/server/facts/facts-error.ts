import { DomainError } from '#core/domain/text/errors.ts';

/** Why facts do not have the answer. */
export type FactsFault =
  /** An object that the index names is not in the object store. A newer index may name another one. */
  | 'missing'
  /** An object does not have the content that its key names, or another program's format. */
  | 'damaged'
  /** Only the board's database has the answer. */
  | 'live';

/** A refusal, so that pages do not log it as an error of their own. */
export class FactsError extends DomainError {
  readonly fault: FactsFault;

  constructor(fault: FactsFault, detail: string, options: ErrorOptions = {}) {
    super('service_unavailable', detail);
    this.fault = fault;
    this.cause = options.cause;
  }
}
