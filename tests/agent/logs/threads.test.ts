import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { paceOf } from '#agent/logs/pace.ts';
import { scanLogs } from '#agent/logs/scan.ts';
import { shareTasks } from '#agent/logs/tasks.ts';
import { logCases } from '#tests/support/logs/log-fixtures.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { indexOf, sumsOf } from '#tests/support/logs/log-index.ts';

const THREAD = new URL('../../../src/agent/logs/thread.ts', import.meta.url);
const NO_THREAD = new URL('not-there.ts', import.meta.url);

/** A home folder with the logs of all cases that are made of lines. */
function aHomeOfAll() {
  const HOME = aFolder();
  for (const { tool, name, folder } of [...logCases('claude-code'), ...logCases('codex')]) {
    const place = tool === 'codex' ? '.codex/sessions' : '.claude/projects';
    cpSync(folder, join(HOME, place, name), { recursive: true });
  }
  return { HOME };
}

async function scanWith(threads: 1 | 2, program: URL) {
  const env = aHomeOfAll();
  const { buckets, sources, notes } = await scanLogs(env, { threads, program });
  const events = sources.map(({ tool, events, files, skipped }) => ({
    tool,
    events,
    files,
    skipped,
  }));
  return {
    env,
    result: { buckets, events, notes },
    unreadable: sources.flatMap((source) => source.unreadable),
  };
}

describe('two threads', () => {
  test('come to the same as one, and keep the same', async () => {
    const one = await scanWith(1, THREAD);
    const two = await scanWith(2, THREAD);
    const { buckets } = await sumsOf(two.env);

    expect(two.result).toEqual(one.result);
    expect(two.result.events[0]?.events).toBeGreaterThan(20);
    expect(buckets).toEqual(one.result.buckets);
    expect(indexOf(two.env)).not.toBe(indexOf(one.env));
  });

  test('come to the same where the second cannot be started', async () => {
    const one = await scanWith(1, NO_THREAD);
    const two = await scanWith(2, NO_THREAD);

    expect(two.result).toEqual(one.result);
    expect(two.unreadable).toEqual([]);
  });

  test('are told of in one number', async () => {
    const { read } = shareTasks([]);
    const told: number[] = [];
    vi.useFakeTimers({ toFake: ['performance'] });
    const pace = paceOf(read, (kib) => told.push(kib));
    const other = paceOf(read);
    void pace(1 << 20);
    void other(1);
    vi.advanceTimersByTime(150);
    await pace(512);
    await pace(512);
    vi.useRealTimers();

    expect(told).toEqual([1026]);
  });
});
