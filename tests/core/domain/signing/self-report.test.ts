import { describe, expect, test } from 'vitest';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import {
  composeSelfReport,
  judgeSelfReport,
  readSelfReport,
} from '#core/domain/signing/self-report.ts';
import { LoggedEnvelope, SelfReportPayload } from '#core/schema/self-report.ts';
import { NOW_MS, aBucket, aRecord, aSubmissionId } from '#tests/support/board/builders.ts';

const text = (value: unknown) => JSON.stringify(value);

describe('readSelfReport()', () => {
  test('accepts one record, or a list', () => {
    expect(readSelfReport(text(aRecord()))).toEqual({ records: [aRecord()], isSingle: true });
    expect(readSelfReport(text({ records: [aRecord()] }))).toEqual({
      records: [aRecord()],
      isSingle: false,
    });
  });

  test.each([
    ['malformed_json', '{'],
    ['json_key_duplicate', '{"records":[],"records":[]}'],
    ['validation_failed', 'null'],
    ['validation_failed', '[]'],
    ['validation_failed', text({ records: [] })],
    ['validation_failed', text({ records: [aRecord()], correction: null })],
    ['validation_failed', text({ ...aRecord(), extra: 1 })],
  ])('throws %s for %s', (code, body) => {
    expect(() => readSelfReport(body)).toThrow(expect.objectContaining({ code }));
  });

  test('points to the place of a fault in the input', () => {
    const bad = { ...aRecord(), spec: 'rank/9' };
    const fault = (pointer: string) =>
      expect.objectContaining({ faults: [expect.objectContaining({ pointer })] }) as Error;

    expect(() => readSelfReport(text(bad))).toThrow(fault('#/spec'));
    expect(() => readSelfReport(text({ records: [bad] }))).toThrow(fault('#/records/0/spec'));
  });
});

describe('judgeSelfReport()', () => {
  const judge = (...records: ReturnType<typeof aRecord>[]) =>
    judgeSelfReport({ records, isSingle: records.length === 1 }, NOW_MS);

  test('assigns any instant to its UTC day', () => {
    const record = aRecord({ timestamp: '2026-03-02T00:30:00+01:00' });
    expect(judge(record)).toEqual([aBucket({ day: '2026-03-01' })]);
  });

  test('finds two records of one day and source, at any instants', () => {
    const later = aRecord({ timestamp: '2026-03-01T18:00:00Z' });
    expect(() => judge(aRecord(), later)).toThrow(
      expect.objectContaining({ code: 'bucket_duplicate' }),
    );
  });

  test.each([
    ['window_unsupported', { context: { window: '7d' } }, '#/context/window'],
    ['day_out_of_range', { timestamp: '2022-12-31T23:59:59Z' }, '#/timestamp'],
    ['metrics_mismatch', { metrics: { ...aRecord().metrics, snr: 0.5 } }, '#/metrics/snr'],
  ])('throws %s and points into that record', (code, over, pointer) => {
    const refused = expect.objectContaining({
      code,
      faults: [expect.objectContaining({ pointer })],
    }) as Error;
    expect(() => judge(aRecord(over))).toThrow(refused);
  });
});

describe('composeSelfReport()', () => {
  const operator = '3f0c2f0a-6c1e-4b57-9a43-0d9f6f1f7b11';
  const report = { operator, submission_id: aSubmissionId(), records: [aRecord()] };

  test('contains the records and their operator, without signatures', () => {
    const envelope = composeSelfReport(report);

    expect(LoggedEnvelope.parse(envelope)).toEqual(envelope);
    expect(envelope.signatures).toEqual([]);
    expect(envelope.payloadType).toBe('application/vnd.opbench.self-report.v1+json');
    const payload = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as unknown;
    expect(SelfReportPayload.parse(payload)).toEqual({ type: 'opbench-self-report/1', ...report });
  });

  test('can be read back from the log', () => {
    const logged = new TextEncoder().encode(JSON.stringify(composeSelfReport(report)));
    expect(readLoggedSnapshot(logged)).toEqual({
      correction: null,
      covers: null,
      buckets: [aBucket()],
    });
  });
});
