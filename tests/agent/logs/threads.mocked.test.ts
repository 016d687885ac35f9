import { expect, test, vi } from 'vitest';
import { scanLogs } from '#agent/logs/scan.ts';
import type { SharedTasks } from '#agent/logs/tasks.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

/** A second thread that takes two tasks and is never heard of again. */
vi.mock('#agent/logs/second-thread.ts', () => ({
  SecondThread: class {
    constructor(_program: URL, { taken }: SharedTasks) {
      Atomics.add(taken, 0, 2);
    }

    ended(): Promise<void> {
      return Promise.resolve();
    }
  },
}));

test('what a second thread took and did not do is done by the first', async () => {
  const files = [1, 2, 3, 4].map((id) => {
    const line = aClaudeLine({ id: `msg_${id}`, output: 10 ** id });
    return [`.claude/projects/p/${id}.jsonl`, `${line}\n`];
  });
  const HOME = aFolder(Object.fromEntries(files));

  expect(
    (await scanLogs({ HOME }, { threads: 2, program: new URL('file:///none') })).buckets,
  ).toMatchObject([{ output: 11_110 }]);
});
