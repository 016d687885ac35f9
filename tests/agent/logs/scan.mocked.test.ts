import { appendFileSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { scanLogs } from '#agent/logs/scan.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { age, indexOf } from '#tests/support/logs/log-index.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const FOLDER = '.claude/projects/p/';

/** A file system that records which files were opened and how much was read. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, openSync: vi.fn(fs.openSync), readSync: vi.fn(fs.readSync) };
});

beforeEach(() => void vi.clearAllMocks());

function openedLogs(): string[] {
  const paths = vi.mocked(openSync).mock.calls.map(([path]) => String(path));
  return paths.filter((path) => path.endsWith('.jsonl'));
}

function bytesRead(): number {
  const counts = vi.mocked(readSync).mock.results.map(({ value }) => Number(value));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('a scan opens only logs that changed, and reads only what is new in them', async () => {
  const many = Array.from({ length: 500 }, (_, id) => `${aClaudeLine({ id: `msg_${id}` })}\n`);
  const texts = [...Array.from({ length: 40 }, () => '\n'), many.join('')];
  const HOME = aFolder(
    Object.fromEntries(texts.map((text, index) => [`${FOLDER}${index}.jsonl`, text])),
  );
  age(HOME);
  await scanLogs({ HOME });
  expect(openedLogs()).toHaveLength(41);
  expect(bytesRead()).toBeGreaterThan(100_000);

  vi.clearAllMocks();
  await scanLogs({ HOME });
  expect(openedLogs()).toEqual([]);

  const grown = join(HOME, `${FOLDER}40.jsonl`);
  appendFileSync(grown, `${aClaudeLine({ id: 'msg_new' })}\n`);
  age(grown);
  vi.clearAllMocks();
  const { sources } = await scanLogs({ HOME });
  expect(sources[0]?.events).toBe(501);
  expect(openedLogs()).toEqual([grown]);
  expect(bytesRead()).toBeLessThan(10_000);

  // The index of each log is enough.
  rmSync(join(indexOf({ HOME }), 'claude-code-sums.json'));
  vi.clearAllMocks();
  await scanLogs({ HOME });
  expect(openedLogs()).toEqual([]);
});

test('a log that is written to while it is read counts up to where it ended', async () => {
  const HOME = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine({ output: 5 })}\n` });
  const path = join(HOME, '.claude/projects/p/a.jsonl');
  const { readSync: read } = await vi.importActual<typeof import('node:fs')>('node:fs');
  vi.mocked(readSync).mockImplementationOnce((...args: unknown[]) => {
    appendFileSync(path, `${aClaudeLine({ id: 'msg_b', output: 7 })}\n`);
    return (read as (...all: unknown[]) => number)(...args);
  });

  expect((await scanLogs({ HOME })).buckets).toMatchObject([{ output: 5 }]);
  expect((await scanLogs({ HOME })).buckets).toMatchObject([{ output: 12 }]);
});

test('a log that is truncated while it is read counts up to the remaining part', async () => {
  const HOME = aFolder({
    '.claude/projects/p/a.jsonl': `${aClaudeLine({ output: 5 })}\n`.repeat(3),
  });
  const path = join(HOME, '.claude/projects/p/a.jsonl');
  const { readSync: read } = await vi.importActual<typeof import('node:fs')>('node:fs');
  vi.mocked(readSync).mockImplementationOnce((...args: unknown[]) => {
    writeFileSync(path, `${aClaudeLine({ output: 5 })}\n`);
    return (read as (...all: unknown[]) => number)(...args);
  });

  expect((await scanLogs({ HOME })).buckets).toMatchObject([{ output: 5 }]);
  appendFileSync(path, `${aClaudeLine({ id: 'msg_b', output: 7 })}\n`);
  expect((await scanLogs({ HOME })).buckets).toMatchObject([{ output: 12 }]);
});
