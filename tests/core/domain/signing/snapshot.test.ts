import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { composeSnapshot, judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { Metrics } from '#core/schema/record.ts';
import type { SnapshotPayload } from '#core/schema/snapshot.ts';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import {
  BASE_URL,
  type Loose,
  MINUTE_MS,
  NOW,
  NOW_MS,
  aBucket,
  aPayload,
  aRecord,
  aSubmissionId,
} from '#tests/support/board/builders.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A snapshot of these buckets. */
function ofBuckets(...buckets: Partial<Bucket>[]): SnapshotPayload {
  return aPayload({ records: buckets.map((bucket) => composeRecord(aBucket(bucket))) });
}

/** A snapshot of one record with other metrics. */
function claiming(bucket: Partial<Bucket>, metrics: Loose<Metrics>): SnapshotPayload {
  const record = composeRecord(aBucket(bucket));
  return aPayload({ records: [{ ...record, metrics: { ...record.metrics, ...metrics } }] });
}

describe('readSnapshot()', () => {
  test('reads what composeSnapshot() wrote, which judgeSnapshot() then accepts', () => {
    const buckets = [aBucket(), aBucket({ day: '2026-03-02', cache_read: null })];
    const statement = {
      audience: BASE_URL,
      submission_id: aSubmissionId(),
      issuedAtMs: NOW_MS,
      collector: { name: 'opbench', version: '1' },
      correction: null,
      buckets,
    };

    const snapshot = readSnapshot(composeSnapshot(statement), BASE_URL);

    expect(snapshot).toMatchObject({ submission_id: statement.submission_id, issued_at: NOW });
    expect(judgeSnapshot(snapshot, NOW_MS)).toEqual(buckets);
  });

  test.each(['http://127.0.0.1:4322', `${BASE_URL}/`, BASE_URL.toUpperCase()])(
    'throws audience_mismatch for %s',
    (audience) => {
      expect(() => readSnapshot(bytesOf(aPayload({ audience })), BASE_URL)).toThrow(
        refusal('audience_mismatch'),
      );
    },
  );

  test('throws malformed_json for text that is not JSON, not UTF-8 or begins with a byte order mark', () => {
    const [text, wrong] = [JSON.stringify(aPayload()), Buffer.from([0x22, 0xff, 0x22])];

    expect(() => readSnapshot(bytesOf(`${text}.`), BASE_URL)).toThrow(refusal('malformed_json'));
    expect(() => readSnapshot(bytesOf(`\uFEFF${text}`), BASE_URL)).toThrow(
      refusal('malformed_json'),
    );
    expect(() => readSnapshot(wrong, BASE_URL)).toThrow(refusal('malformed_json'));
  });

  test('throws json_key_duplicate for a repeated key, including in nested objects', () => {
    const text = JSON.stringify(aPayload()).replace('"input":', '"input":0,"inpu\\u0074":');

    expect(() => readSnapshot(bytesOf(text), BASE_URL)).toThrow(refusal('json_key_duplicate'));
  });

  test('checks the schema before the audience', () => {
    const payload = aPayload({ audience: 'http://elsewhere', records: [] });

    expect(() => readSnapshot(bytesOf(payload), BASE_URL)).toThrow(
      refusal('validation_failed', '#/records'),
    );
  });

  test.each([
    { type: 'opbench-snapshot/2' },
    { submission_id: '6f0f6a4e-0000-4000-8000-000000000000' },
    { issued_at: '2026-03-10' },
    { collector: { name: 'x' } },
    { correction: { tool: 't', from: '2026-03-01' } },
    { correction: { tool: 't', from: '2026-02-30', to: '2026-03-01' } },
    { records: Array.from({ length: 5001 }, () => 0) },
    { extra: true },
  ])('throws validation_failed for %j', (over) => {
    expect(() => readSnapshot(bytesOf(aPayload(over)), BASE_URL)).toThrow(
      refusal('validation_failed'),
    );
  });
});

describe('judgeSnapshot()', () => {
  test('accepts issued_at up to ten minutes from now in either direction, and not a millisecond more', () => {
    const judge = (nowMs: number) => () => judgeSnapshot(aPayload(), nowMs);

    expect(judge(NOW_MS + 10 * MINUTE_MS)).not.toThrow();
    expect(judge(NOW_MS - 10 * MINUTE_MS)).not.toThrow();
    expect(judge(NOW_MS + 10 * MINUTE_MS + 1)).toThrow(refusal('snapshot_stale'));
    expect(judge(NOW_MS - 10 * MINUTE_MS - 1)).toThrow(refusal('snapshot_stale'));
  });

  test.each([undefined, {}, { window: null }, { window: '1d', privacy_mode: 'private', more: 1 }])(
    'accepts the context %j',
    (context) => {
      expect(judgeSnapshot(aPayload({ records: [aRecord({ context })] }), NOW_MS)).toEqual([
        aBucket(),
      ]);
    },
  );

  test('copies the fingerprint of a record to its bucket', () => {
    const fingerprint = fingerprintOfResponses(0, 3);
    const bucket = aBucket({ fingerprint });
    const payload = aPayload({ records: [aRecord({ context: { fingerprint } })] });

    expect(judgeSnapshot(payload, NOW_MS)).toStrictEqual([bucket]);
  });

  test.each(['', 'AAAAAQ==', 'AAAAAgAAAAE', 'x'.repeat(84)])(
    'throws validation_failed for the fingerprint %j',
    (fingerprint) => {
      const payload = aPayload({ records: [aRecord(), aRecord({ context: { fingerprint } })] });

      expect(() => judgeSnapshot(payload, NOW_MS)).toThrow(
        refusal('validation_failed', '#/records/1/context/fingerprint'),
      );
    },
  );

  test.each(['7d', '', '1D', 'day'])('throws window_unsupported for the window %j', (window) => {
    const payload = aPayload({ records: [aRecord(), aRecord({ context: { window } })] });

    expect(() => judgeSnapshot(payload, NOW_MS)).toThrow(
      refusal('window_unsupported', '#/records/1/context/window'),
    );
  });

  test.each(['2026-03-01T00:00:01Z', '2026-03-01T12:00:00Z', '2026-03-01T00:00:00+01:00'])(
    'throws window_unsupported for the timestamp %s, which is not midnight',
    (timestamp) => {
      const payload = aPayload({ records: [aRecord({ timestamp })] });

      expect(() => judgeSnapshot(payload, NOW_MS)).toThrow(
        refusal('window_unsupported', '#/records/0/timestamp'),
      );
    },
  );

  test.each(['2023-01-01', '2024-02-29', '2026-03-10'])('accepts the day %s', (day) => {
    expect(judgeSnapshot(ofBuckets({ day }), NOW_MS)).toEqual([aBucket({ day })]);
  });

  test.each(['2022-12-31', '2026-03-11', '0000-01-01', '9999-12-31'])(
    'throws day_out_of_range for the day %s',
    (day) => {
      expect(() => judgeSnapshot(ofBuckets({}, { day }), NOW_MS)).toThrow(
        refusal('day_out_of_range', '#/records/1/timestamp'),
      );
    },
  );

  test('accepts tomorrow starting ten minutes before midnight', () => {
    const at = (instant: string) => () =>
      judgeSnapshot(
        { ...ofBuckets({ day: '2026-03-11' }), issued_at: instant },
        Date.parse(instant),
      );

    expect(at('2026-03-10T23:50:00.000Z')).not.toThrow();
    expect(at('2026-03-10T23:49:59.999Z')).toThrow(refusal('day_out_of_range'));
  });

  test.each(['tool', 'model', 'provider'] as const)(
    'throws validation_failed for white space around the name of a %s',
    (name) => {
      const named = (text: string) => [aRecord({ source: { ...aRecord().source, [name]: text } })];
      const judge = (text: string) => () =>
        judgeSnapshot(aPayload({ records: named(text) }), NOW_MS);

      expect(judge('a b')).not.toThrow();
      for (const text of [' x', 'x ', ' ', '\u00a0x', 'x\u3000']) {
        const read = () => readSnapshot(bytesOf(aPayload({ records: named(text) })), BASE_URL);
        expect(read).not.toThrow();
        expect(judge(text)).toThrow(refusal('validation_failed', `#/records/0/source/${name}`));
      }
    },
  );

  test('throws bucket_duplicate for the second record of a bucket', () => {
    const payload = ofBuckets({}, { day: '2026-03-02' }, { input: 7 });

    expect(() => judgeSnapshot(payload, NOW_MS)).toThrow(
      refusal('bucket_duplicate', '#/records/2/source'),
    );
  });

  test('throws bucket_duplicate for one midnight with two spellings', () => {
    const other = aRecord({ timestamp: '2026-03-01T01:00:00+01:00' });

    expect(() => judgeSnapshot(aPayload({ records: [aRecord(), other] }), NOW_MS)).toThrow(
      refusal('bucket_duplicate', '#/records/1/source'),
    );
  });

  test.each<Partial<Bucket>>([
    { day: '2026-03-02' },
    { provider: 'other' },
    { model: 'other' },
    { tool: 'other' },
    { tool: 'Claude-code' },
  ])('keeps buckets apart that differ in %j', (over) => {
    expect(judgeSnapshot(ofBuckets({}, over), NOW_MS)).toHaveLength(2);
  });

  test('accepts a total of 2^53-1 and throws count_out_of_range one above', () => {
    const half = { input: 2 ** 52 - 1, output: 0, cache_write: null, cache_read: null };
    const rest = { ...half, day: '2026-03-02', cache_read: 1 };

    expect(judgeSnapshot(ofBuckets(half, rest), NOW_MS)).toHaveLength(2);
    expect(() => judgeSnapshot(ofBuckets(half, { ...rest, cache_read: 2 }), NOW_MS)).toThrow(
      refusal('count_out_of_range', '#/records/1/telemetry'),
    );
    expect(() => judgeSnapshot(ofBuckets({ input: MAX_COUNT, output: 1 }), NOW_MS)).toThrow(
      refusal('count_out_of_range', '#/records/0/telemetry'),
    );
  });

  test.each([
    ['yield', 10.11, 0.01],
    ['leverage', 4.3, 0.1],
    ['velocity', 2.333, 0.001],
    ['snr', 0.7, 0.0001],
    ['dev10x', 0.64, 0.01],
  ] as const)('accepts a claim of %s that is one unit off, and not more', (name, value, unit) => {
    const claim = (claimed: number) => () =>
      judgeSnapshot(
        claiming({ input: 3, output: 7, cache_write: 11, cache_read: 13 }, { [name]: claimed }),
        NOW_MS,
      );

    expect(claim(value)).not.toThrow();
    expect(claim(value + unit)).not.toThrow();
    expect(claim(value - unit)).not.toThrow();
    expect(claim(value + 1.01 * unit)).toThrow(
      refusal('metrics_mismatch', `#/records/0/metrics/${name}`),
    );
    expect(claim(value - 1.01 * unit)).toThrow(refusal('metrics_mismatch'));
    expect(claim(-value)).toThrow(refusal('metrics_mismatch'));
  });

  test.each([
    ['a number instead of null', { cache_read: null }, { yield: 0 }],
    ['null instead of a number', {}, { velocity: null }],
    ['null instead of zero', { output: 0 }, { velocity: null }],
  ])('throws metrics_mismatch for %s', (_, bucket, metrics) => {
    expect(() => judgeSnapshot(claiming(bucket, metrics), NOW_MS)).toThrow(
      refusal('metrics_mismatch'),
    );
  });

  test('accepts the record of any counts, whatever their size', () => {
    const count = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 51 - 1 }));
    const counts = fc.record({
      input: count,
      output: count,
      cache_write: fc.option(count),
      cache_read: fc.option(count),
    });

    fc.assert(
      fc.property(counts, (bucket) => {
        expect(judgeSnapshot(ofBuckets(bucket), NOW_MS)).toEqual([aBucket(bucket)]);
      }),
    );
  });

  test('ignores the warnings of a record', () => {
    const payload = aPayload({ records: [aRecord({ warnings: ['all is well'] })] });

    expect(judgeSnapshot(payload, NOW_MS)).toEqual([aBucket()]);
  });

  test.each([
    { from: '2023-01-01', to: '2026-03-10' },
    { from: '2026-03-01', to: '2026-03-01' },
  ])('accepts the correction %j', (span) => {
    const correction = { tool: 'claude-code', ...span };

    expect(judgeSnapshot(aPayload({ correction }), NOW_MS)).toEqual([aBucket()]);
  });

  test.each([
    { from: '2022-12-31', to: '2026-03-01' },
    { from: '2026-03-02', to: '2026-03-01' },
    { from: '2026-03-01', to: '2026-03-11' },
  ])('throws correction_invalid for %j', (span) => {
    const correction = { tool: 'claude-code', ...span };

    expect(() => judgeSnapshot(aPayload({ correction }), NOW_MS)).toThrow(
      refusal('correction_invalid'),
    );
  });

  test('rejects in the order of the specification', () => {
    const correction = { tool: 't', from: '2026-03-02', to: '2026-03-01' };
    const metrics = { ...aRecord().metrics, yield: 1 };
    const record = aRecord({ metrics });
    const large = { ...composeRecord(aBucket({ input: MAX_COUNT, output: MAX_COUNT })), metrics };
    const steps: [ErrorCode, Loose<SnapshotPayload>][] = [
      ['correction_invalid', { correction }],
      ['metrics_mismatch', { correction, records: [record] }],
      ['count_out_of_range', { correction, records: [large] }],
      ['bucket_duplicate', { correction, records: [large, large] }],
      [
        'day_out_of_range',
        { records: [record, record, aRecord({ timestamp: '2026-03-12T00:00:00Z' })] },
      ],
      ['window_unsupported', { records: [aRecord({ timestamp: '2026-03-12T00:00:01Z' })] }],
      ['snapshot_stale', { issued_at: '2026-03-09T00:00:00Z', records: [record, record] }],
    ];

    const codes = steps.map(([, over]) => codeOf(() => judgeSnapshot(aPayload(over), NOW_MS)));

    expect(codes).toEqual(steps.map(([code]) => code));
  });
});

function codeOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return (error as { code: ErrorCode }).code;
  }
}
