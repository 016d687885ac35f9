import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Place } from '#agent/device.ts';
import { Failure } from '#agent/failure.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const LOGS_BEGIN_MS = Date.UTC(2026, 2, 2);
const LOG = '.claude/projects/p/a.jsonl';

/** A device with one response on each of these days before today. */
function aPlace(
  daysAgo: readonly number[],
  model: string | ((days: number) => string) = 'claude-opus-5',
): Place {
  const lines = daysAgo.map((days) => {
    const at = NOW_MS - LOGS_BEGIN_MS - days * DAY_MS;
    const counts = { input: 1000, output: 5000, cache_write: 2000, cache_read: 90_000 };
    const named = typeof model === 'string' ? model : model(days);
    return aClaudeLine({ id: `msg_${days}`, at, model: named, ...counts });
  });
  const home = aFolder({ [LOG]: `${lines.join('\n')}\n` });
  return { environment: { HOME: home }, nowMs: () => NOW_MS, file: '' };
}

async function scan(place: Place, ...args: string[]) {
  const output = anOutput();
  const said: string[] = [];
  const screen = { ...output, progress: (text: string) => void said.push(text) };
  await runCommand(place, 'scan', args, screen);
  return { text: output.results.join('\n'), notes: output.notes, said };
}

describe('opbench scan', () => {
  test('ends with yield, interval, class, and what is missing for a rank', async () => {
    const { text } = await scan(aPlace([0, 1, 2, 3, 4, 5, 6, 7]));

    const lines = text.split('\n');
    expect(
      lines.slice(lines.indexOf('On a board, with the counts of this device only') + 1),
    ).toEqual([
      '  class    none yet, because a class needs a rank in 90d',
      '  30d      yield 450, 95% interval 42.8 to 4,736,',
      '           no rank yet: 216,000 more tokens (784,000 of 1,000,000),',
      '           10,000 more output tokens (40,000 of 50,000)',
      '  90d      yield 450, 95% interval 42.8 to 4,736,',
      '           no rank yet: 6 more active days (8 of 14),',
      '           216,000 more tokens (784,000 of 1,000,000),',
      '           10,000 more output tokens (40,000 of 50,000)',
    ]);
  });

  test('--by has one row for each group of the days since --since', async () => {
    const place = aPlace([0, 1, 8]);

    expect((await scan(place, '--by', 'week')).text).toMatch(
      /^Weeks .*\n {2}2026-W10 .*\n {2}2026-W11 /,
    );
    expect((await scan(place, '--by', 'day', '--since', '2026-03-09')).text).toMatch(
      /^Days .*\n {2}2026-03-09 .*\n {2}2026-03-10 .*\nTokens\n/,
    );
  });

  test('--json adds rows and the estimate to what it had before', async () => {
    const json = JSON.parse(
      (await scan(aPlace([0, 9]), '--json', '--by', 'tool', '--since', '7d')).text,
    );

    expect(Object.keys(json)).toEqual([
      ...['records', 'totals', 'days', 'sources', 'notes', 'from', 'to'],
      ...['gone', 'rows', 'estimate'],
    ]);
    expect(json).toMatchObject({ from: '2026-03-04', to: '2026-03-10', gone: 0, days: 1 });
    expect(json.rows).toEqual([
      {
        ...{
          tool: 'claude-code',
          input: 1000,
          output: 5000,
          cache_write: 2000,
          cache_read: 90_000,
        },
        ...{ total: 98_000, days: 1, yield: 450, interval: null },
      },
    ]);
    expect(json.estimate).toMatchObject({ ruleset: '2', class_tier: 'unclassed' });
    expect(json.estimate.windows[0]).toMatchObject({
      ...{ window: '30d', yield: 450, tokens: 196_000, active_days: 2 },
      reasons: [
        { code: 'active_days_low', required: 7, actual: 2, text: '5 more active days (2 of 7)' },
        {},
        {},
        {},
      ],
    });
  });

  test('--csv prints daily counts, or the rows of --by, and runs no formula', async () => {
    const place = aPlace([0, 1], (days) => (days === 0 ? '=cmd|x!A1' : 'a,"b"'));

    const counts: string[][] = parse((await scan(place, '--csv')).text);
    expect(counts[0]?.join()).toBe(
      'day,tool,provider,model,input,output,cache_write,cache_read,total',
    );
    expect(counts.slice(1).map(([day, , , model, input]) => [day, model, input])).toEqual([
      ['2026-03-09', 'a,"b"', '1000'],
      ['2026-03-10', "'=cmd|x!A1", '1000'],
    ]);
    expect((await scan(place, '--csv', '--by', 'month')).text).toBe(
      'month,input,output,cache_write,cache_read,total,days,yield,yield_low,yield_high\r\n' +
        '2026-03,2000,10000,4000,180000,196000,2,450,3.32390294751,60922.3563979\r\n',
    );
  });

  test('shows progress only after half a second, and none with --json', async () => {
    const progressAt = async (stepMs: number, ...args: string[]) => {
      let nowMs = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += stepMs));
      onTestFinished(() => clock.mockRestore());
      return (await scan(aPlace([0, 1]), ...args)).said;
    };

    expect(await progressAt(150)).toEqual([]);
    expect(await progressAt(501)).not.toEqual([]);
    expect(await progressAt(501, '--json')).toEqual([]);
  });

  test('includes the counts of deleted logs, and says how many', async () => {
    const place = aPlace([0, 1]);
    await scan(place);
    rmSync(join(place.environment.HOME ?? '', LOG));

    expect((await scan(place)).text).toContain(
      '\n  including 196,000 tokens whose logs no longer exist\n',
    );
    expect(JSON.parse((await scan(place, '--json')).text)).toMatchObject({
      gone: 196_000,
      totals: { total: 196_000 },
    });
  });

  test.each([
    [['--by', 'year'], '--by takes one of day, week, month, model, tool'],
    [['--since', 'x'], '--since takes a day such as 2026-11-01, or 1d to 3660d, not "x"'],
    [['--since', '2026-03-11'], '--since 2026-03-11 is after today, which is 2026-03-10 in UTC'],
    [['--since', '7d', '--days', '7'], 'Give --days or --since, not both'],
    [['--csv', '--json'], 'Give --csv or --json, not both'],
  ])('rejects %j', async (args, message) => {
    const scanning = scan(aPlace([0]), ...args);

    await expect(scanning).rejects.toThrow(Failure);
    await expect(scanning).rejects.toThrow(message);
  });
});
