/** What becomes of days on a board when rules change after logs were deleted or moved. */
import { readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { submitAll } from '#agent/loop/submit-all.ts';
import { BASE_URL, DAY_MS, NOW_MS } from '../support/builders.ts';
import { query, testContext } from '../support/context.ts';
import { anEnrolledDevice } from '../support/enrolled.ts';
import { aFolder } from '../support/log-folder.ts';
import { aClaudeLine } from '../support/log-writers.ts';

const RECENT = '.claude/projects/p';
const SECOND = '.claude/projects/q';
const LEGACY = '.config/claude/projects/p';
const LOG_START_MS = Date.UTC(2026, 2, 2);

/** Logs by path, each of one day and last written to on it. */
type Days = Record<string, number>;

/** A log a day, so many days ago. */
function logsOf(folder: string, from: number, to: number): Days {
  const ages = Array.from({ length: from - to + 1 }, (_, index) => from - index);
  return Object.fromEntries(ages.map((age) => [`${folder}/${age}.jsonl`, age])) as Days;
}

/** A device that sent all of its logs; a log says twice what `lower` leaves of it. */
async function sent(days: Days) {
  const files = Object.entries(days).map(([path, age]) => {
    const at = NOW_MS - age * DAY_MS - LOG_START_MS;
    const lines = ['a', 'b'].map((name) => aClaudeLine({ id: `${name}_${path}`, at, output: 5 }));
    return [path, `${lines.join('\n')}\n`];
  });
  const home = aFolder(Object.fromEntries(files) as Record<string, string>);
  for (const [path, age] of Object.entries(days)) {
    const at = (NOW_MS - age * DAY_MS) / 1000;
    utimesSync(join(home, path), at, at);
  }
  const ctx = testContext();
  const { device } = await anEnrolledDevice(ctx, 'ada', { home });
  const submit = async (over: Record<string, string> = {}) => {
    const environment = { ...device.environment, ...over };
    const asked = { board: BASE_URL, standing: false };
    return (await submitAll({ ...device, environment }, asked)).report;
  };
  await submit();
  /** As if the rules of now told less of every day, those that sent it having told more. */
  const lowerRules = (over: Partial<Kept> = {}) => {
    const path = join(device.keystore.folderOf(BASE_URL), 'sent.json');
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept;
    for (const key of Object.keys(kept.buckets)) kept.buckets[key] = [9, 99, 9, 9];
    kept.rules['claude-code'] = 0;
    writeFileSync(path, JSON.stringify({ ...kept, ...over }));
  };
  const onBoard = () => query(ctx, 'SELECT DISTINCT day FROM buckets WHERE counts = 1').length;
  return { home, submit, lowerRules, onBoard };
}

interface Kept {
  buckets: Record<string, number[]>;
  rules: Record<string, number>;
  logs: unknown;
}

describe('submit after rules changed', () => {
  test('keeps days that a tool cleaned up beside logs of an older folder', async () => {
    const days = { ...logsOf(LEGACY, 90, 88), ...logsOf(RECENT, 60, 1) };
    const { home, submit, lowerRules, onBoard } = await sent(days);
    for (let age = 60; age > 30; age -= 1) rmSync(join(home, RECENT, `${age}.jsonl`));
    lowerRules();

    const { submissions, notes } = await submit();

    expect(onBoard()).toBe(63);
    expect(submissions[0]?.corrections).toEqual([
      { tool: 'claude-code', from: '2026-02-08', to: '2026-03-09' },
    ]);
    expect(notes).toEqual([
      expect.stringContaining('not corrected: claude-code from 2025-12-10 to 2026-02-07: '),
      `${BASE_URL}: corrected: claude-code from 2026-02-08 to 2026-03-09: its rules changed`,
    ]);
  });

  test.each<[string, (home: string) => void]>([
    ['was deleted', (home) => rmSync(join(home, SECOND), { recursive: true })],
    ['was moved away', (home) => renameSync(join(home, SECOND), join(home, 'old'))],
    ['was cut', (home) => truncateSync(join(home, SECOND, '10.jsonl'), 0)],
  ])('keeps the days of a project that %s, also some runs later', async (_, lose) => {
    const days = { ...logsOf(RECENT, 20, 1), [`${SECOND}/10.jsonl`]: 10 };
    const { home, submit, lowerRules } = await sent(days);
    lose(home);
    await submit();
    await submit();
    lowerRules();

    const { submissions } = await submit();

    expect(submissions[0]?.corrections).toEqual([
      { tool: 'claude-code', from: '2026-03-01', to: '2026-03-09' },
    ]);
  });

  test('corrects nothing where it is not known which logs told what was sent', async () => {
    const { submit, lowerRules } = await sent(logsOf(RECENT, 20, 1));
    lowerRules({ logs: null });

    const { submissions, notes } = await submit();

    expect(submissions[0]?.corrections).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('not corrected: claude-code from 2026-02-18')]);
  });

  test('waits with a correction while no log is seen', async () => {
    const { submit, lowerRules } = await sent(logsOf(RECENT, 20, 1));
    lowerRules();

    const elsewhere = await submit({ CLAUDE_CONFIG_DIR: '/nonexistent' });
    const again = await submit();

    expect(elsewhere.submissions[0]?.corrections).toEqual([]);
    expect(again.submissions[0]?.corrections).toEqual([
      { tool: 'claude-code', from: '2026-02-19', to: '2026-03-09' },
    ]);
  });
});
