import type { Output } from './command.ts';
import { EXIT, type ExitCode, Failure } from './failure.ts';
import type { Identities, Identity } from './keystore.ts';
import { plain } from './text/plain.ts';

/** Why a command did not do its work at one board; scripts read it. */
export interface BoardFailure {
  /** Null if it cannot be told which board it is. */
  board: string | null;
  exit: ExitCode;
  code: string | null;
  message: string;
}

/** Does one step at every board, and goes on where one fails. */
export async function atEachBoard(
  { sound, damaged }: Identities,
  { note }: Output,
  step: (identity: Identity) => Promise<void>,
): Promise<{ failures: BoardFailure[]; exitCode: ExitCode }> {
  const failures: BoardFailure[] = [];
  const fail = (board: string | null, failure: Failure) => {
    failures.push(boardFailure(board, failure));
    note(`opbench: ${board === null ? '' : `${board}: `}${plain(failure.message)}`);
    if (failure.hint !== null) note(plain(failure.hint));
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
  return { failures, exitCode: exitCodeOf(failures, sound.length + damaged.length) };
}

function boardFailure(board: string | null, { exitCode, code, message }: Failure): BoardFailure {
  return { board, exit: exitCode, code, message };
}

function exitCodeOf(failures: readonly BoardFailure[], steps: number): ExitCode {
  const [first] = failures;
  if (!first) return EXIT.ok;
  return failures.length < steps ? EXIT.partial : first.exit;
}
