import { describe, expect, test } from 'vitest';
import { factsOf, readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { aBucket, aDevice, aRecord, anEnvelope } from '#tests/support/board/builders.ts';

describe('readLoggedSnapshot()', () => {
  test('returns the buckets and the correction, for any address and time', async () => {
    const correction = { tool: 'é', from: '2026-03-01', to: '2026-03-02' };
    const buckets = [aBucket({ model: 'é \u{1F600}', cache_read: null }), aBucket()];
    const envelope = await anEnvelope(await aDevice(), {
      audience: 'https://elsewhere.example',
      issued_at: '2020-01-01T00:00:00Z',
      correction,
      records: buckets.map(composeRecord),
    });

    const snapshot = readLoggedSnapshot(Buffer.from(JSON.stringify(envelope)));

    expect(snapshot).toEqual({ correction, covers: null, buckets });
  });

  test('treats an absent token type as unreported', async () => {
    const records = [aRecord({ telemetry: { input: 1, output: 2 } })];
    const envelope = await anEnvelope(await aDevice(), { records });

    const { buckets, correction } = readLoggedSnapshot(Buffer.from(JSON.stringify(envelope)));

    expect(correction).toBeNull();
    expect(buckets).toEqual([
      aBucket({ input: 1, output: 2, cache_write: null, cache_read: null }),
    ]);
  });
});

describe('factsOf()', () => {
  test('counts each day once and lists each tool once, sorted', () => {
    const facts = factsOf([
      aBucket({ day: '2026-03-05', tool: 'zed' }),
      aBucket({ day: '2026-02-05', tool: 'codex' }),
      aBucket({ day: '2026-03-05', tool: 'codex' }),
    ]);

    expect(facts).toEqual({
      days: 2,
      first_day: '2026-02-05',
      last_day: '2026-03-05',
      tools: ['codex', 'zed'],
    });
  });
});
