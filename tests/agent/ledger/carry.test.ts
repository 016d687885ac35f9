import { describe, expect, test } from 'vitest';
import { formatFingerprint } from '#core/domain/counting/fingerprint.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Stated } from '#agent/ledger/types.ts';
import { TODAY, TOOL, aLedger, aResponse, aSighting } from '#tests/support/agent/ledger.ts';

const BOARD = 'https://bench.example.org';
const KEY = { day: TODAY, tool: TOOL, provider: 'anthropic', model: 'claude-opus-4-1' };
const ONE = formatFingerprint([1]);
const MORNING = aResponse('a').timestampMs;

/** A number of responses on one day. */
function part(responses: number) {
  const [input, output] = [10 * responses, 100 * responses];
  return { ...KEY, input, output, cache_write: 5 * responses, cache_read: 50 * responses };
}

/** A number of responses as a board has them, up to a time after the first one. */
function stated(responses: number, over: Partial<Stated> = {}): Stated {
  return { ...part(responses), untilMs: MORNING + 500, ...over };
}

function outputOf(buckets: readonly Bucket[]): number[] {
  return buckets.map(({ output }) => output);
}

describe('carry()', () => {
  test('adds the part without responses up to the time, once', async () => {
    const { folder, ledger } = aLedger();
    await ledger.update([aSighting([aResponse('a'), aResponse('b')])], TODAY);

    const added = await ledger.carry(BOARD, [stated(3, { fingerprint: ONE })]);
    const again = await ledger.carry(BOARD, [stated(3, { fingerprint: ONE })]);
    const kept = aLedger(folder).ledger;

    expect(added).toMatchObject([{ ...KEY, added: { input: 20, output: 200, cache_write: 10 } }]);
    expect(again).toEqual([]);
    expect(kept.buckets()).toEqual([part(4)]);
    expect(kept.carriedFingerprint(BOARD, KEY)).toBe(ONE);
    expect(kept.carriedFingerprint('https://other.example', KEY)).toBeNull();
  });

  test('adds nothing for counts from logs or from other boards', async () => {
    const { ledger } = aLedger();
    await ledger.update([aSighting([aResponse('a')])], TODAY);

    expect(await ledger.carry(BOARD, [stated(1)])).toEqual([]);
    expect(await ledger.carry(BOARD, [stated(3)])).toHaveLength(1);
    expect(await ledger.carry('https://other.example', [stated(2)])).toEqual([]);
    const more = await ledger.carry('https://other.example', [stated(4)]);

    expect(more).toMatchObject([{ added: { output: 100 } }]);
    expect(ledger.buckets()).toEqual([part(4)]);
  });

  test('covers counts of several devices with one fingerprint', async () => {
    const { ledger } = aLedger();

    await ledger.carry(BOARD, [stated(1, { fingerprint: formatFingerprint([2, 5]) })]);
    await ledger.carry(BOARD, [stated(2, { fingerprint: formatFingerprint([2, 3]) })]);

    expect(ledger.carriedFingerprint(BOARD, KEY)).toBe(formatFingerprint([2, 3, 5]));
  });

  test('has no fingerprint if it does not cover everything that was carried over', async () => {
    const { ledger } = aLedger();
    const at = (untilMs: number, over: Partial<Stated>) => stated(1, { untilMs, ...over });

    await ledger.carry(BOARD, [at(MORNING, { fingerprint: ONE })]);
    expect(ledger.carriedFingerprint(BOARD, KEY)).toBe(ONE);
    expect([MORNING - 1, MORNING].map((ms) => ledger.isCarried(KEY, ms))).toEqual([true, false]);
    await ledger.carry(BOARD, [stated(3, { untilMs: MORNING + 1 })]);

    expect(ledger.carriedFingerprint(BOARD, KEY)).toBeNull();
    expect(ledger.isCarried(KEY, MORNING)).toBe(true);
  });

  test('adds only token types with larger counts', async () => {
    const { ledger } = aLedger();
    await ledger.update([aSighting([aResponse('a', { input: 30 })])], TODAY);

    await ledger.carry(BOARD, [stated(2)]);

    expect(ledger.buckets()).toMatchObject([{ input: 30, output: 200, cache_read: 100 }]);
  });

  test('keeps days that the ledger does not have', async () => {
    const { folder, ledger } = aLedger();

    await ledger.carry(BOARD, [stated(2, { cache_write: null })]);

    expect(aLedger(folder).ledger.buckets()).toMatchObject([{ output: 200, cache_write: null }]);
  });

  test('is replaced only by its own logs when they come back', async () => {
    const { folder, ledger } = aLedger();
    await ledger.carry(BOARD, [stated(2, { untilMs: MORNING + 1500, fingerprint: ONE })]);
    const told = (keys: string[]) => aSighting(keys.map((key) => aResponse(key)));

    await ledger.update([told(['z'])], TODAY);
    expect(outputOf(ledger.buckets())).toEqual([300]);
    await ledger.update([told(['a', 'z'])], TODAY);
    expect(outputOf(ledger.buckets())).toEqual([300]);
    expect(ledger.carriedFingerprint(BOARD, KEY)).toBe(ONE);
    await ledger.update([told(['a', 'b', 'z'])], TODAY);

    expect(outputOf(aLedger(folder).ledger.buckets())).toEqual([300]);
    expect(ledger.carriedFingerprint(BOARD, KEY)).toBeNull();
  });

  test('does not grow when new rules count less', async () => {
    const { ledger } = aLedger();
    const seen = { logs: { log: [TODAY, 1] as [string, number] }, isAll: true };
    await ledger.update([aSighting([aResponse('a')], { seen })], TODAY);
    await ledger.carry(BOARD, [stated(3)]);

    const less = aResponse('a', { output: 40 });
    await ledger.update([aSighting([less], { rules: 2, seen, wholeFrom: TODAY })], TODAY);

    expect(outputOf(ledger.buckets())).toEqual([240]);
  });
});
