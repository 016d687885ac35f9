import { describe, expect, test } from 'vitest';
import { groupedBy } from '#agent/loop/grouped.ts';
import { groupedText, scanText, skippedText } from '#agent/text/scan.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { aBucket } from '#tests/support/board/builders.ts';

describe('skippedText()', () => {
  test('names totals of several days separately, with the name of the tool', () => {
    expect(skippedText('codex', { id: 1, spans_days: 1 })).toEqual([
      'skipped 1 line: invalid ID 1',
      '1 session of Codex lasts longer than one UTC day; its totals cannot be assigned to a day and are not counted',
    ]);
    expect(skippedText('codex', { spans_days: 3 })).toEqual([
      '3 sessions of Codex last longer than one UTC day; their totals cannot be assigned to a day and are not counted',
    ]);
  });

  test('shows the number of skipped lines by reason, always in the same order', () => {
    expect(skippedText('codex', { id: 1, name: 2, time: 3, count: 4, not_json: 5 })).toEqual([
      'skipped 15 lines: not JSON 5, invalid count 4, invalid time 3, invalid name 2, invalid ID 1',
    ]);
    expect(skippedText('codex', { too_long: 1 })).toEqual(['skipped 1 line: too long 1']);
  });

  test('is empty if nothing was skipped', () => {
    expect(skippedText('codex', {})).toEqual([]);
  });
});

describe('scanText()', () => {
  const source = {
    tool: 'claude-code',
    roots: [],
    files: 7,
    events: 99,
    skipped: {},
    unreadable: [],
  };
  const buckets = [aBucket({ tool: 'claude-code', day: '2026-03-10' })];
  const { input, output, cache_write, cache_read } = buckets[0] as (typeof buckets)[0];
  const totals = { input, output, cache_write, cache_read };
  const text = (days: number | null) => {
    return scanText({ sources: [source], buckets }, totals, days === null ? null : { days });
  };
  const linesWith = (days: number | null, word: string) => {
    return text(days)
      .split('\n')
      .filter((line) => line.includes(word))
      .map((line) => line.trim().split(/\s{2,}/));
  };

  test('shows files, responses and tokens of all days in one table', () => {
    expect(linesWith(null, 'responses')[0]?.slice(0, 4)).toEqual([
      'Logs',
      'files',
      'responses',
      'input',
    ]);
    expect(linesWith(null, 'claude-code')[0]?.slice(0, 3)).toEqual(['claude-code', '7', '99']);
  });

  test('shows only tools with logs', () => {
    const sources = [
      source,
      { ...source, tool: 'codex', files: 0, events: 0 },
      { ...source, tool: 'kilo', files: 0, events: 0, unreadable: ['/k: EACCES'] },
    ];
    const shown = scanText({ sources, buckets }, totals, null);

    expect(shown).toContain('\n  kilo ');
    expect(shown).not.toContain('codex');
  });

  test('says where to look if there are no logs', () => {
    const sources = [{ ...source, files: 0, events: 0 }];

    expect(scanText({ sources, buckets: [] }, totals, null)).toBe(
      'No logs were found on this device. To see where opbench looked, run: opbench doctor --offline',
    );
  });

  test('with days, does not mix counts of all days with tokens of those days', () => {
    expect(linesWith(2, 'responses')).toEqual([['Logs, all days', 'files', 'responses']]);
    const [all, lately] = linesWith(2, 'claude-code');
    expect(all).toEqual(['claude-code', '7', '99']);
    expect(lately).not.toContain('99');
    expect(text(2)).toMatch(/\nLast 2 days +input/);
    expect(text(1)).toMatch(/\nToday +input/);
    expect(scanText({ sources: [source], buckets }, totals, { since: '2026-03-01' })).toMatch(
      /\nSince 2026-03-01 +input/,
    );
  });
});

describe('groupedText()', () => {
  test('has a row for each group, with a line of its own for a long name', () => {
    const long = 'a-model-with-a-long-name';
    const buckets = [
      aBucket({ day: '2026-03-09', model: 'short' }),
      aBucket({ day: '2026-03-10', model: long, cache_read: null }),
    ];
    const totals = sumPillars(buckets);
    const byModel = groupedText(groupedBy(buckets, 'model'), 'model', totals).split('\n');
    const byDay = groupedText(groupedBy(buckets, 'day'), 'day', totals).split('\n');

    expect(byModel[0]).toMatch(
      /^Models +input +output +c\.write +c\.read +total +yield +95% interval$/,
    );
    const at = byModel.findIndex((line) => line.endsWith(long));
    expect(byModel[at + 1]).toMatch(/^ {16} .* -$/);
    expect(byDay.slice(1, 3).map((line) => line.slice(0, 12))).toEqual([
      '  2026-03-09',
      '  2026-03-10',
    ]);
    for (const line of [...byModel, ...byDay]) expect(line.length).toBeLessThanOrEqual(80);
  });
});
