import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logFindings } from '#agent/doctor/logs.ts';
import { scanLogs, type ToolScan } from '#agent/logs/scan.ts';
import { collect } from '#agent/loop/collect.ts';
import { sightingOf } from '#agent/loop/scan-device.ts';
import { readers } from '#core/readers/readers.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine, aCodexHead } from '#tests/support/logs/log-writers.ts';

const nowMs = () => NOW_MS;
const PROJECT = '.claude/projects/p';

/** A home folder with transcripts of these days after 2026-03-02, each with its modification day. */
function aHome(logs: Record<string, { days: number[]; written: number }>): { HOME: string } {
  const files = Object.entries(logs).map(([name, { days }]) => {
    const lines = days.map((day) => aClaudeLine({ id: `msg_${name}_${day}`, at: day * DAY_MS }));
    return [`${PROJECT}/${name}.jsonl`, `${lines.join('\n')}\n`];
  });
  const HOME = aFolder(Object.fromEntries(files) as Record<string, string>);
  for (const [name, { written }] of Object.entries(logs)) {
    const at = (Date.UTC(2026, 2, 2) + written * DAY_MS) / 1000;
    utimesSync(join(HOME, PROJECT, `${name}.jsonl`), at, at);
  }
  return { HOME };
}

/** The sighting of a scan for a ledger without these logs. */
async function sightingsIn(environment: { HOME: string }) {
  const told: ToolScan[] = [];
  const take = (all: readonly ToolScan[]) => Promise.resolve(void told.push(...all));
  await scanLogs(environment, {
    ledger: {
      id: 'ledger-1',
      run: 0,
      rulesOf: () => undefined,
      hasCounted: () => false,
      forget: () => Promise.resolve(),
      take,
    },
  });
  return told.map((one) => sightingOf(one, '2026-03-10'));
}

describe('sightingOf()', () => {
  test.each([
    ['after the oldest last writing', { a: { days: [0, 4], written: 4 } }, '2026-03-07'],
    [
      'which an ongoing session does not change',
      { a: { days: [0, 6], written: 6 }, b: { days: [2, 3], written: 3 } },
      '2026-03-06',
    ],
    ['after the first day seen', { a: { days: [5], written: 1 } }, '2026-03-08'],
  ])('returns the first day with complete logs: %s', async (_, logs, first) => {
    const sightings = await sightingsIn(aHome(logs));

    expect(sightings).toMatchObject([
      { tool: 'claude-code', wholeFrom: first, seen: { isAll: true } },
    ]);
  });

  test('marks a scan as incomplete if a log is unreadable', async () => {
    const HOME = aFolder({ '.codex/sessions/a.jsonl.zst': 'damaged' });

    expect(await sightingsIn({ HOME })).toMatchObject([{ tool: 'codex', seen: { isAll: false } }]);
  });
});

describe('collect()', () => {
  test('leaves out days that no board accepts, and says so', async () => {
    const environment = aHome({ a: { days: [0, 30, -2000], written: 0 } });

    const { buckets, notes, impossible } = await collect({ environment, nowMs });
    const findings = logFindings(await scanLogs(environment), '2026-03-10');

    expect(buckets.map(({ day }) => day)).toEqual(['2026-03-02']);
    const left =
      "1 daily count left out because of an impossible date: 2026-04-01 claude-code claude-opus-5 (in the future by this device's clock)";
    expect(impossible.map(({ day, tool, reason }) => [day, tool, reason])).toEqual([
      ['2026-04-01', 'claude-code', 'in_future'],
    ]);
    expect(notes).toEqual([left]);
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'warning', text: left }));
  });

  test('keeps counts of deleted logs, and includes a future day once it has come', async () => {
    const environment = aHome({ a: { days: [0, 30], written: 0 }, b: { days: [1], written: 1 } });
    await collect({ environment, nowMs });
    rmSync(join(environment.HOME, PROJECT, 'a.jsonl'));

    const now = await collect({ environment, nowMs });
    const later = await collect({ environment, nowMs: () => NOW_MS + 30 * DAY_MS });

    expect(now.buckets.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03']);
    expect(now).toMatchObject({ impossible: [], notes: [], isKept: true });
    expect(later.buckets.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03', '2026-04-01']);
  });

  test('returns the counting rules of each tool, and lists unreadable files', async () => {
    const sessions = {
      '.codex/sessions/a.jsonl': aCodexHead('a', 0),
      '.codex/sessions/b.jsonl.zst': 'x',
      '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n`,
    };
    const environment = { HOME: aFolder(sessions) };

    const { rules, notes } = await collect({ environment, nowMs });

    expect(rules).toHaveProperty('claude-code', readers[0]?.rules);
    expect(rules).not.toHaveProperty('gemini-cli');
    expect(notes).toEqual([expect.stringContaining('Could not be read: ')]);
  });

  test('fails if the ledger cannot be read, so that no board gets too little', async () => {
    const inTheWay = '.config/opbench/ledger/summary.json/x';
    const HOME = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n`, [inTheWay]: '' });

    await expect(collect({ environment: { HOME }, nowMs })).rejects.toThrow('cannot be read');
  });

  test('says that counts are not saved if the ledger cannot be written', async () => {
    const inTheWay = '.config/opbench/ledger/lock/x';
    const HOME = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n`, [inTheWay]: '' });

    const { buckets, isKept, notes } = await collect({ environment: { HOME }, nowMs });

    expect(buckets).toHaveLength(1);
    expect(isKept).toBe(false);
    expect(notes).toEqual([expect.stringContaining('The ledger was not saved')]);
  });
});
