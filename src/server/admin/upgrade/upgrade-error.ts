import { EXIT, type AdminExitCode } from '../command.ts';

/** An upgrade that is not possible or was not completed. The message says why and what to do. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
  readonly exit: AdminExitCode;

  constructor(exit: AdminExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.exit = exit;
  }
}

export function refused(message: string): UpgradeError {
  return new UpgradeError(EXIT.refused, message);
}
