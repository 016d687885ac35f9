import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nameOf } from '#agent/ledger/row.ts';
import { TODAY, TOOL, aLedger, aResponse, aSighting } from '#tests/support/agent/ledger.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const MODEL = { provider: 'anthropic', model: 'claude-opus-4-1', tool: TOOL };

/** The output of each day, which shows what is counted. */
function outputs({ ledger }: Pick<ReturnType<typeof aLedger>, 'ledger'>): Record<string, number> {
  return Object.fromEntries(ledger.buckets().map(({ day, output }) => [day, output]));
}

describe('a ledger', () => {
  test('stores counts by day and model, readable by its owner only', async () => {
    const { folder, ledger } = aLedger();
    const responses = [
      aResponse('a'),
      aResponse('b', { cache_write: null, cache_read: null }),
      aResponse('c', { daysAgo: 20, model: 'other', cache_write: null }),
    ];

    const news = await ledger.update([aSighting(responses)], TODAY);
    const again = aLedger(folder).ledger;

    expect(news.notes).toEqual([]);
    expect(again.buckets()).toEqual([
      {
        ...MODEL,
        day: '2026-02-18',
        model: 'other',
        input: 10,
        output: 100,
        cache_write: null,
        cache_read: 50,
      },
      { ...MODEL, day: TODAY, input: 20, output: 200, cache_write: 5, cache_read: 50 },
    ]);
    expect(again.buckets()).toEqual(ledger.buckets());
    expect([again.id, again.run, again.rulesOf(TOOL)]).toEqual([ledger.id, 1, 1]);
    expect(again.responsesOf({ ...MODEL, day: TODAY })).toMatchObject([
      { name: nameOf(TOOL, 'a'), run: 1 },
      { name: nameOf(TOOL, 'b'), run: 1 },
    ]);
    for (const file of readdirSync(folder)) {
      expectMode(join(folder, file), 0o600);
    }
  });

  test('keeps responses whose logs are gone', async () => {
    const { folder, ledger } = aLedger();
    await ledger.update([aSighting([aResponse('a', { daysAgo: 3 }), aResponse('b')])], TODAY);

    const later = aLedger(folder);
    await later.ledger.update([aSighting([aResponse('c')])], TODAY);

    expect(outputs(later)).toEqual({ '2026-03-07': 100, [TODAY]: 200 });
    expect(
      later.ledger
        .responsesOf({ ...MODEL, day: TODAY })
        .map(({ run }) => run)
        .sort(),
    ).toEqual([1, 2]);
  });

  test('uses the fuller version and the earliest time, in any order', async () => {
    const short = aResponse('a', { output: 60 });
    const full = aResponse('a', { daysAgo: -1 });
    const one = aLedger();
    const other = aLedger();

    await one.ledger.update([aSighting([short])], TODAY);
    await one.ledger.update([aSighting([full])], TODAY);
    await other.ledger.update([aSighting([full])], TODAY);
    await other.ledger.update([aSighting([short])], TODAY);

    expect(outputs(one)).toEqual({ [TODAY]: 100 });
    expect(outputs(other)).toEqual({ [TODAY]: 100 });
  });

  test('moves a response to an earlier month', async () => {
    const one = aLedger();
    await one.ledger.update([aSighting([aResponse('a', { daysAgo: 8.6 })])], TODAY);

    await one.ledger.update([aSighting([aResponse('a', { daysAgo: 10, output: 90 })])], TODAY);

    expect(outputs(one)).toEqual({ '2026-02-28': 100 });
    expect(outputs(aLedger(one.folder))).toEqual({ '2026-02-28': 100 });
    expect(readdirSync(one.folder)).toHaveLength(2);
  });

  test('recognizes responses under new names after their logs are gone', async () => {
    const one = aLedger();
    const at = aResponse('a').timestampMs;
    await one.ledger.update([aSighting([aResponse('a'), aResponse('b')])], TODAY);

    const copies = [aResponse('copy', { timestampMs: at }), aResponse('b')];
    await one.ledger.update([aSighting(copies)], TODAY);
    const grown = aResponse('copy', { timestampMs: at, output: 300 });
    await one.ledger.update([aSighting([grown])], TODAY);

    expect(outputs(one)).toEqual({ [TODAY]: 400 });
    const runs = one.ledger.responsesOf({ ...MODEL, day: TODAY }).map(({ run }) => run);
    expect(runs).toEqual([1, 1]);
  });

  test('counts two equal responses that are in the logs at the same time', async () => {
    const one = aLedger();
    const at = aResponse('a').timestampMs;
    const like = aResponse('b', { timestampMs: at });

    await one.ledger.update([aSighting([aResponse('a')])], TODAY);
    await one.ledger.update([aSighting([aResponse('a'), like])], TODAY);

    expect(outputs(one)).toEqual({ [TODAY]: 200 });
  });

  test('reads only the summary and writes nothing if nothing changes', async () => {
    const { folder, ledger } = aLedger();
    const seen = { logs: { log: [TODAY, 5] as [string, number] }, isAll: true };
    const responses = [aResponse('a')];
    await ledger.update([aSighting(responses, { seen })], TODAY);
    const before = readFileSync(join(folder, 'summary.json'), 'utf8');
    for (const file of readdirSync(folder)) {
      if (file !== 'summary.json') rmSync(join(folder, file));
    }

    const later = aLedger(folder);
    const unchanged = aSighting([], { seen });
    const { notes } = await later.ledger.update([unchanged], TODAY);

    expect(notes).toEqual([]);
    expect(outputs(later)).toEqual({ [TODAY]: 100 });
    expect(readdirSync(folder)).toEqual(['summary.json']);
    expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(before);
  });

  test('writes only the months that changed', async () => {
    const { folder, ledger } = aLedger();
    const old = aResponse('a', { daysAgo: 60 });
    await ledger.update([aSighting([old, aResponse('b')])], TODAY);
    expect(readdirSync(folder).sort()).toEqual([
      'claude-code.2026-01.1.rows',
      'claude-code.2026-03.1.rows',
      'summary.json',
    ]);

    await ledger.update([aSighting([aResponse('c')])], TODAY);
    await ledger.update([aSighting([old, aResponse('b'), aResponse('c')])], TODAY);

    expect(readdirSync(folder).sort()).toEqual([
      'claude-code.2026-01.1.rows',
      'claude-code.2026-03.2.rows',
      'summary.json',
    ]);
    expect(aLedger(folder).ledger.run).toBe(2);
  });

  test('creates no folder if there is nothing to save', async () => {
    const { folder, ledger } = aLedger();
    const none = { logs: {}, isAll: false };

    await ledger.update([aSighting([], { seen: none })], TODAY);

    expect(existsSync(folder)).toBe(false);
  });

  test('sees the changes of another run', async () => {
    const one = aLedger();
    const other = aLedger(one.folder);
    await one.ledger.update([aSighting([aResponse('a')])], TODAY);
    await other.ledger.update([aSighting([aResponse('b')])], TODAY);
    await one.ledger.update([aSighting([aResponse('c')])], TODAY);

    expect(outputs(one)).toEqual({ [TODAY]: 300 });
    expect(other.ledger.responsesOf({ ...MODEL, day: TODAY })).toHaveLength(2);
  });
});
