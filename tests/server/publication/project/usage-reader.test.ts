import { describe, expect, test } from 'vitest';
import type { CountingRow } from '#db/buckets.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { UsageReader } from '#server/publication/project/usage-reader.ts';

type Names = [tool: string, provider: string, model: string];

const [DEVICE, BY_HAND] = [4, 7];

const aReader = () => new UsageReader((device_id) => device_id === BY_HAND);

const aRow = (names: Names, device_id = DEVICE): CountingRow => [
  '2026-03-01',
  ...names,
  1,
  2,
  null,
  4,
  device_id,
];

describe('UsageReader', () => {
  test('reads a row', () => {
    expect(aReader().read([aRow(['zed', 'p', 'm'])])).toEqual([
      {
        day: dayNumber('2026-03-01'),
        source: { tool: 'zed', provider: 'p', model: 'm', trust: 'signed' },
        input: 1,
        output: 2,
        cache_write: null,
        cache_read: 4,
      },
    ]);
  });

  test('shares a source between its rows, and no others', () => {
    const kinds = [
      aRow(['zed', 'p', 'm']),
      aRow(['aider', 'p', 'm']),
      aRow(['zed', 'q', 'm']),
      aRow(['zed', 'p', 'n']),
      aRow(['zed', 'p', 'm'], BY_HAND),
    ];

    const usage = aReader().read([...kinds, ...kinds]);

    const sources = usage.map(({ source }) => source);
    expect(new Set(sources).size).toBe(5);
    expect(sources.slice(5)).toEqual(sources.slice(0, 5));
    expect(sources[4]).toEqual({ tool: 'zed', provider: 'p', model: 'm', trust: 'self_reported' });
  });
});
