import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logFindings } from '#agent/doctor/logs.ts';
import { scanLogs } from '#agent/logs/scan.ts';
import { collect } from '#agent/loop/collect.ts';
import { readers } from '#core/readers/readers.ts';
import { DAY_MS, NOW_MS } from '../support/builders.ts';
import { aFolder } from '../support/log-folder.ts';
import { aClaudeLine, aCodexHead } from '../support/log-writers.ts';

const nowMs = () => NOW_MS;
const PROJECT = '.claude/projects/p';

/** A home with transcripts of these days after 2026-03-02, each last written to so many days after it. */
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

describe('collect()', () => {
  test.each([
    ['after the oldest last writing', { a: { days: [0, 4], written: 4 } }, '2026-03-07'],
    [
      'which a session that goes on does not change',
      { a: { days: [0, 6], written: 6 }, b: { days: [2, 3], written: 3 } },
      '2026-03-06',
    ],
    ['after the first day seen', { a: { days: [5], written: 1 } }, '2026-03-08'],
  ])('tells from which day on the logs are whole: %s', async (_, logs, first) => {
    const { wholeFrom } = await collect({ environment: aHome(logs), nowMs });

    expect(wholeFrom('claude-code')).toBe(first);
    expect(wholeFrom('codex')).toBeNull();
  });

  test('leaves out what no board takes, and says so', async () => {
    const environment = aHome({ a: { days: [0, 30, -2000], written: 0 } });

    const { buckets, notes, impossible } = await collect({ environment, nowMs });
    const findings = logFindings(await scanLogs(environment), '2026-03-10');

    expect(buckets.map(({ day }) => day)).toEqual(['2026-03-02']);
    const left =
      '1 record of impossible days left out: 2026-04-01 claude-code claude-opus-5 (in the future by the clock of this device)';
    expect(impossible.map(({ day, tool, reason }) => [day, tool, reason])).toEqual([
      ['2026-04-01', 'claude-code', 'in_future'],
    ]);
    expect(notes).toEqual([left]);
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'warning', text: left }));
  });

  test('tells no rules of a tool of which a log could not be read', async () => {
    const sessions = {
      '.codex/sessions/a.jsonl': aCodexHead('a', 0),
      '.codex/sessions/b.jsonl.zst': 'x',
      '.claude/projects/p/a.jsonl': '',
    };
    const environment = { HOME: aFolder(sessions) };

    const { rules, notes } = await collect({ environment, nowMs });

    expect(rules).toHaveProperty('claude-code', readers[0]?.rules);
    expect(rules).not.toHaveProperty('codex');
    expect(rules).not.toHaveProperty('gemini-cli');
    expect(notes).toEqual([expect.stringContaining('not read: ')]);
  });
});
