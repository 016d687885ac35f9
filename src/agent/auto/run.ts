/** The run that the timer starts: one submission to all boards, and one line in the log of runs. */
import { join } from 'node:path';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { takeLock } from '../state/lock.ts';
import { submitAll } from '../loop/submit-all.ts';
import type { TimerRun } from '../device-reports.ts';
import { stateFolder } from '../settings.ts';
import { VERSION } from '../version.ts';
import { logRun } from './health.ts';

/** Submits to every board where this device is enrolled, and logs the result. */
export async function runOnce(device: LocalDevice): Promise<TimerRun> {
  const startedMs = device.nowMs();
  const result = await submitOnce(device);
  const run = {
    at: new Date(startedMs).toISOString(),
    duration_ms: Math.round(device.nowMs() - startedMs),
    version: VERSION,
    skipped: false,
    message: null,
    boards: [],
    ...result,
  };
  logRun(device.environment, run);
  return run;
}

type Result = Pick<TimerRun, 'exit'> & Partial<TimerRun>;

async function submitOnce(device: LocalDevice): Promise<Result> {
  try {
    const release = takeLock(join(stateFolder(device.environment), 'auto.lock'));
    if (release === null) return { exit: EXIT.ok, skipped: true };
    try {
      return await submitToAll(device);
    } finally {
      release();
    }
  } catch (error) {
    const exit = error instanceof Failure ? error.exitCode : EXIT.usage;
    return { exit, message: error instanceof Error ? error.message : String(error) };
  }
}

async function submitToAll(device: LocalDevice): Promise<Result> {
  const asked = { board: undefined, standing: false };
  const { report, exitCode } = await submitAll(device, asked);
  const { submissions, failures } = report;
  const taken = new Map<string | null, number>(
    submissions.map(({ board, records }) => [board, records]),
  );
  const failed = new Set(failures.map(({ board }) => board));
  const boards = [
    ...submissions
      .filter(({ board }) => !failed.has(board))
      .map(({ board }) => ({ board, exit: EXIT.ok, code: null, message: null })),
    ...failures.map(({ board, exit, code, message }) => ({ board, exit, code, message })),
  ];
  return {
    exit: exitCode,
    boards: boards.map((one) => ({ ...one, records: taken.get(one.board) ?? 0 })),
  };
}
