export type BackupFault =
  /** A disk is full, or cannot be read or written. */
  | 'disk'
  /** The file already exists. */
  | 'taken'
  /** The copy is incomplete or damaged. */
  | 'unsound';

/** A backup that could not be made or used. The message says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly fault: BackupFault;

  constructor(fault: BackupFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
