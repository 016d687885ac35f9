import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Job, type Outcome, readAll, sharedJobs, startThread } from '#agent/logs/read-all.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const pace = () => undefined;

/** Logs of different sizes. The last one has no line end. */
function someJobs(count: number): Job[] {
  const names = Array.from({ length: count }, (_, number) => `${number}.jsonl`);
  const logs = names.map((name, number) => {
    const lines = Array.from({ length: 1 + number }, (_, at) =>
      aClaudeLine({ id: `msg_${number}_${at}` }),
    );
    return [name, lines.join('\n') + (number === count - 1 ? '' : '\n')];
  });
  const folder = aFolder(Object.fromEntries(logs) as Record<string, string>);
  return names.map((name) => {
    const path = join(folder, name);
    return { tool: 'claude-code', path, before: undefined, bytes: statSync(path).size };
  });
}

function withoutTimes(outcomes: readonly Outcome[]) {
  return outcomes.map((outcome) =>
    'reason' in outcome ? outcome : { ...outcome, entry: { ...outcome.entry, read_ms: 0 } },
  );
}

describe('startThread()', () => {
  test('reads the same as the main thread, and reports its progress', async () => {
    const jobs = someJobs(20);
    const outcomes = new Map<Job, Outcome>();
    let read = 0;

    await startThread(sharedJobs(jobs), outcomes, { pace: (bytes) => void (read += bytes) });

    const own = jobs.map((job) => outcomes.get(job) as Outcome);
    expect(withoutTimes(own)).toEqual(withoutTimes(await readAll(jobs, { pace })));
    expect(read).toBe(jobs.reduce((sum, { bytes }) => sum + bytes, 0));
  });
});

describe('readAll()', () => {
  test('reads everything, with and without other threads', async () => {
    const jobs = someJobs(40);
    const alone = await readAll(jobs, { pace, threadsFrom: Number.POSITIVE_INFINITY });
    const together = await readAll(jobs, { pace, threadsFrom: 0 });

    expect(withoutTimes(together)).toEqual(withoutTimes(alone));
  });

  test('continues a log that grew', async () => {
    const jobs = someJobs(3);
    const [job] = jobs as [Job];
    const [before] = await readAll([job], { pace });
    if (!before || 'reason' in before) throw new Error('The log must be readable');
    appendFileSync(job.path, `${aClaudeLine({ id: 'msg_more' })}\n`);
    const grown = { ...job, before: before.entry };

    const [read] = await readAll([grown, ...jobs], { pace, threadsFrom: 0 });

    expect(read).toMatchObject({ usage: { responses: [{ key: 'msg_0_0' }, { key: 'msg_more' }] } });
  });

  test('says why a log cannot be read, and reads the others', async () => {
    const jobs = someJobs(5);
    const [first] = jobs as [Job];

    const [missing, ...others] = await readAll(
      [{ ...first, path: `${first.path}.missing` }, ...jobs],
      { pace, threadsFrom: 0 },
    );

    expect(missing).toEqual({ reason: `${first.path}.missing: ENOENT` });
    expect(others.every((outcome) => 'entry' in outcome)).toBe(true);
  });
});
