export type BackupFault =
  /** A disk is full, or cannot be read or written. */
  | 'disk'
  /** Something stands under its name. */
  | 'taken'
  /** What was copied is not whole. */
  | 'unsound';

/** A copy of a board that was not made, or cannot be used; the message says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly fault: BackupFault;

  constructor(fault: BackupFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
