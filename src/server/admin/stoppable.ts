import { rmSync } from 'node:fs';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Runs `work`, which fills a temporary file. A signal deletes the file before it ends the process. */
export async function stoppable<Result>(
  draft: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const stop = (signal: NodeJS.Signals) => {
    try {
      rmSync(draft, { force: true });
    } finally {
      SIGNALS.forEach((name) => process.off(name, stop));
      process.kill(process.pid, signal);
    }
  };
  SIGNALS.forEach((name) => process.on(name, stop));
  try {
    return await work();
  } finally {
    SIGNALS.forEach((name) => process.off(name, stop));
  }
}
