import { describe, expect, test } from 'vitest';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import {
  aboveBaseline,
  baselineIn,
  baselineNow,
  baselineOf,
  keepBaseline,
  statedAbove,
  withBaseline,
} from '#agent/state/baseline.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const AT = '2026-03-10T00:00:00.000Z';
const OF = { device_id: 'device-1', stay_with: '"laptop"', is_account: false };

function aLedger(buckets = [aBucket()], { id = 'ledger-1', run = 7 } = {}) {
  return { id, run, buckets: () => buckets };
}

const then = aBucket({ input: 100, output: 200, cache_write: null, cache_read: 5 });
const baseline = { ...baselineNow(aLedger([then]), AT), ...OF };

describe('aboveBaseline()', () => {
  test('leaves out earlier counts, and days without new ones', () => {
    const later = { ...then, input: 130, output: 250, cache_read: 5 };
    const other = aBucket({ day: '2026-03-09' });

    expect(aboveBaseline([then], baseline)).toEqual([]);
    expect(aboveBaseline([later, other], baseline)).toEqual([
      { ...then, input: 30, output: 50, cache_write: null, cache_read: 0 },
      other,
    ]);
  });

  test('is never below zero', () => {
    const less = { ...then, input: 50, output: 201 };

    expect(aboveBaseline([less], baseline)).toEqual([
      { ...then, input: 0, output: 1, cache_write: null, cache_read: 0 },
    ]);
  });

  test('changes nothing without a baseline', () => {
    expect(aboveBaseline([then], null)).toEqual([then]);
  });
});

test('withBaseline() is the inverse of aboveBaseline()', () => {
  const stated = { ...then, input: 30, output: 50, cache_read: 0 };

  expect(withBaseline([stated], baseline)).toEqual([{ ...then, input: 130, output: 250 }]);
  expect(withBaseline([stated], null)).toEqual([stated]);
});

describe('statedAbove()', () => {
  const bucket = aBucket({ day: '2026-03-09' });
  const renewed = aLedger([], { id: 'ledger-2' });

  test('selects later responses, unless the ledger was created again', () => {
    const runs = (of: typeof baseline | null, ledger = aLedger()) =>
      [7, 8].map((run) => statedAbove(of, ledger)(bucket, { run, at: 0 }));

    expect(runs(null)).toEqual([true, true]);
    expect(runs(baseline)).toEqual([false, true]);
    expect(runs(baseline, renewed)).toEqual([false, false]);
  });

  test('leaves out only those of groups, even if the ledger was created again', () => {
    const groups = { [dayAndTool(bucket)]: 1000 };
    const of = { ...baselineOf(aLedger(), AT, { groups, buckets: [then] }), ...OF };
    const at = (ledger: ReturnType<typeof aLedger>, run: number) =>
      [1000, 1001].map((ms) => statedAbove(of, ledger)(bucket, { run, at: ms }));

    expect(at(aLedger(), 7)).toEqual([false, true]);
    expect(at(aLedger(), 8)).toEqual([true, true]);
    expect(at(renewed, 8)).toEqual([false, true]);
    expect(statedAbove(of, aLedger())(aBucket(), { run: 1, at: 0 })).toBe(true);
  });
});

test('keepBaseline() keeps the first one of a device, and ignores other devices', () => {
  const folder = aFolder();
  keepBaseline(folder, baseline);
  keepBaseline(folder, { ...baselineNow(aLedger([]), AT), ...OF });

  expect(baselineIn(folder, 'device-1')).toEqual(baseline);
  expect(baselineIn(folder, 'device-2')).toBeNull();
});
