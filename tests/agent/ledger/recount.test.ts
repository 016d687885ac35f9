import { describe, expect, test } from 'vitest';
import type { Sighting } from '#agent/ledger/types.ts';
import { TODAY, TOOL, aLedger, aResponse, aSighting } from '#tests/support/agent/ledger.ts';

const DAYS = ['2026-03-07', '2026-03-08', '2026-03-09', TODAY];

/** A ledger with one response on each of four days, with one log for each day. */
async function fourDays() {
  const { folder, ledger } = aLedger();
  await ledger.update([aSighting(responses(100), { seen: seen(DAYS) })], TODAY);
  return { folder, ledger };
}

function responses(output: number, from = 0) {
  return DAYS.flatMap((_, index) => {
    return index < from ? [] : [aResponse(`r${index}`, { daysAgo: 3 - index, output })];
  });
}

function seen(days: readonly string[], isAll = true): Sighting['seen'] {
  const logs = days.map((day) => [day, [day, 10] as [string, number]] as const);
  return { logs: Object.fromEntries(logs), isAll };
}

async function outputsAfter(over: Partial<Sighting>, told = responses(40)) {
  const { folder, ledger } = await fourDays();
  const { notes } = await ledger.update([aSighting(told, { rules: 2, ...over })], TODAY);
  const kept = aLedger(folder).ledger;
  return { outputs: kept.buckets().map(({ output }) => output), notes, rules: kept.rulesOf(TOOL) };
}

describe('changed rules of a reader', () => {
  test('replace counts from logs, even with lower ones', async () => {
    const over = { seen: seen(DAYS), wholeFrom: DAYS[1] ?? '' };

    expect(await outputsAfter(over)).toEqual({ outputs: [40, 40, 40, 40], notes: [], rules: 2 });
  });

  test('drop responses that are no longer in complete logs', async () => {
    const told = responses(40).filter((_, index) => index !== 2);
    const over = { seen: seen(DAYS), wholeFrom: DAYS[1] ?? '' };

    expect(await outputsAfter(over, told)).toMatchObject({ outputs: [40, 40, 40], notes: [] });
  });

  test('keep days whose logs are gone, with a note', async () => {
    const over = { seen: seen(DAYS.slice(2)), wholeFrom: DAYS[3] ?? '' };

    expect(await outputsAfter(over, responses(40, 2))).toEqual({
      outputs: [100, 100, 40, 40],
      notes: [
        expect.stringMatching(/^2 responses of claude-code from 2026-03-07 to 2026-03-08 keep/),
      ],
      rules: 2,
    });
  });

  test('keep days up to the last one of a deleted log', async () => {
    const { ledger } = await fourDays();
    const without = DAYS.filter((_, index) => index !== 2);
    await ledger.update([aSighting([], { seen: seen(without) })], TODAY);

    const told = responses(40).filter((_, index) => index !== 2);
    const over = { rules: 2, seen: seen(without), wholeFrom: DAYS[1] ?? '' };
    const { notes } = await ledger.update([aSighting(told, over)], TODAY);

    expect(ledger.buckets().map(({ output }) => output)).toEqual([40, 40, 100, 40]);
    expect(notes).toEqual([expect.stringContaining('1 response of claude-code from 2026-03-09')]);
  });

  test('drop nothing if it is unknown which days are complete', async () => {
    const over = { seen: seen(DAYS), wholeFrom: null };

    expect(await outputsAfter(over, responses(40, 1))).toMatchObject({
      outputs: [100, 40, 40, 40],
      notes: [expect.stringContaining('1 response')],
    });
  });

  test('wait while some logs cannot be read', async () => {
    const over = { seen: seen(DAYS, false), wholeFrom: DAYS[1] ?? '' };
    const found = await outputsAfter(over, responses(40, 2));

    expect(found).toEqual({ outputs: [100, 100, 100, 100], notes: [], rules: 1 });
  });

  test('recognize a response by its time if its name and counts differ', async () => {
    const told = responses(40).map((response) => ({ ...response, key: `new ${response.key}` }));
    const over = { seen: seen(DAYS), wholeFrom: null };

    expect(await outputsAfter(over, told)).toEqual({
      outputs: [40, 40, 40, 40],
      notes: [],
      rules: 2,
    });
  });
});
