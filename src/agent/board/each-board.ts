import { EXIT, type ExitCode, Failure } from '../failure.ts';
import type { Identities, Identity } from '../state/keystore.ts';
import type { BoardFailure } from '../reports.ts';

/**
 * Runs one step for every board, and continues after an error.
 *
 * @param tell Called for each error when it happens, with its report and the error itself.
 */
export async function atEachBoard(
  { sound, damaged }: Identities,
  tell: (failure: BoardFailure, cause: Failure) => void,
  step: (identity: Identity) => Promise<void>,
): Promise<{ failures: BoardFailure[]; exitCode: ExitCode }> {
  const failures: BoardFailure[] = [];
  const causes: Failure[] = [];
  const fail = (board: string | null, failure: Failure) => {
    const { exitCode: exit, code, message, hint } = failure;
    const failed = { board, exit, code, message, hint };
    failures.push(failed);
    causes.push(failure);
    tell(failed, failure);
  };
  damaged.forEach((failure) => fail(null, failure));
  for (const identity of sound) {
    try {
      await step(identity);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      fail(identity.board, error);
    }
  }
  return { failures, exitCode: exitCodeOf(causes, sound.length + damaged.length) };
}

function exitCodeOf(failures: readonly Failure[], steps: number): ExitCode {
  const alarm = failures.find(({ isAlarm }) => isAlarm);
  const [first] = failures;
  if (!first) return EXIT.ok;
  return failures.length < steps && !alarm ? EXIT.partial : (alarm ?? first).exitCode;
}
