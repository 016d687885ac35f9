import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorRecord } from '#core/schema/record.ts';
import { aRecord } from '#tests/support/board/builders.ts';

function isRecord(value: unknown): boolean {
  return OperatorRecord.safeParse(value).success;
}

/** Returns a record with changed members in one of its objects; undefined removes a member. */
function changed(part: 'metrics' | 'source' | 'telemetry', over: object): unknown {
  return JSON.parse(JSON.stringify(aRecord({ [part]: { ...aRecord()[part], ...over } })));
}

describe('OperatorRecord', () => {
  test('accepts the record of the builder', () => {
    expect(isRecord(aRecord())).toBe(true);
  });

  test.each(['cache_write', 'cache_read'])('accepts a record without %s', (name) => {
    expect(isRecord(changed('telemetry', { [name]: undefined }))).toBe(true);
    expect(isRecord(changed('telemetry', { [name]: null }))).toBe(true);
  });

  test.each(['warnings', 'context'])('accepts a record without %s', (name) => {
    expect(isRecord({ ...JSON.parse(JSON.stringify(aRecord({ [name]: undefined }))) })).toBe(true);
  });

  test.each(['spec', 'timestamp', 'source', 'telemetry', 'metrics'])('requires %s', (name) => {
    expect(isRecord(aRecord({ [name]: undefined }))).toBe(false);
  });

  test.each([
    ['source', 'provider'],
    ['source', 'model'],
    ['source', 'tool'],
    ['telemetry', 'input'],
    ['telemetry', 'output'],
    ['metrics', 'yield'],
    ['metrics', 'leverage'],
    ['metrics', 'velocity'],
    ['metrics', 'snr'],
    ['metrics', 'dev10x'],
  ] as const)('requires %s.%s', (part, name) => {
    expect(isRecord(changed(part, { [name]: undefined }))).toBe(false);
  });

  test.each(['extra', '', 'Spec', 'constructor', 'toString'])(
    'is closed at the top, in source, telemetry and metrics: %j',
    (name) => {
      expect(isRecord({ ...aRecord(), [name]: 1 })).toBe(false);
      expect(isRecord(changed('source', { [name]: 'x' }))).toBe(false);
      expect(isRecord(changed('telemetry', { [name]: 1 }))).toBe(false);
      expect(isRecord(changed('metrics', { [name]: 1 }))).toBe(false);
    },
  );

  test('rejects a member named __proto__ too', () => {
    const text = JSON.stringify(aRecord());

    expect(isRecord(JSON.parse(text.replace('{', '{"__proto__":{},')))).toBe(false);
    expect(isRecord(JSON.parse(text.replace('{"input"', '{"__proto__":{},"input"')))).toBe(false);
  });

  test('accepts and keeps unknown members in context', () => {
    const context = { window: null, privacy_mode: 'private', team: { id: 7 } };

    expect(OperatorRecord.parse(aRecord({ context }))).toEqual(aRecord({ context }));
  });

  test.each([
    { privacy_mode: 'secret' },
    { operator_id: 7 },
    { cohort_id: 7 },
    { window: 1 },
    null,
    [],
    'x',
  ])('rejects the context %j', (context) => {
    expect(isRecord(aRecord({ context }))).toBe(false);
  });

  test.each([0, 1, 2 ** 53 - 1])('accepts the count %d', (value) => {
    expect(isRecord(changed('telemetry', { input: value, cache_read: value }))).toBe(true);
  });

  test.each([2 ** 53, 1e300, 0.5, -1, '1', true, [], {}])('rejects the count %j', (value) => {
    expect(isRecord(changed('telemetry', { input: value }))).toBe(false);
    expect(isRecord(changed('telemetry', { output: value }))).toBe(false);
    expect(isRecord(changed('telemetry', { cache_write: value }))).toBe(false);
    expect(isRecord(changed('telemetry', { cache_read: value }))).toBe(false);
  });

  test('rejects null for counts other than those of the cache', () => {
    expect(isRecord(changed('telemetry', { input: null }))).toBe(false);
    expect(isRecord(changed('telemetry', { output: null }))).toBe(false);
  });

  test.each(['1', true, Number.NaN, Number.POSITIVE_INFINITY])('rejects the metric %j', (value) => {
    expect(isRecord(aRecord({ metrics: { ...aRecord().metrics, yield: value } }))).toBe(false);
  });

  test.each(['rank/0.1', 'rank/0.2-draft', 'RANK/0.1-draft', '', 1, null])(
    'rejects the spec %j',
    (spec) => {
      expect(isRecord(aRecord({ spec }))).toBe(false);
    },
  );

  test.each([
    '2026-03-01T00:00:00Z',
    '2026-03-01T23:59:59.999Z',
    '2026-03-01T02:00:00+02:00',
    '2024-02-29T00:00:00-00:00',
  ])('accepts the timestamp %s', (timestamp) => {
    expect(isRecord(aRecord({ timestamp }))).toBe(true);
  });

  test.each([
    '2026-03-01',
    '2026-03-01T00:00:00',
    '2026-03-01 00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:60:00Z',
    '2026-03-01T00:00:00+2:00',
    '+010000-01-01T00:00:00Z',
    ' 2026-03-01T00:00:00Z',
    '2026-03-01T00:00:00Z\n',
    1_772_323_200_000,
  ])('rejects the timestamp %j', (timestamp) => {
    expect(isRecord(aRecord({ timestamp }))).toBe(false);
  });

  test('requires the seconds of a timestamp, as RFC 3339 does', () => {
    expect(isRecord(aRecord({ timestamp: '2026-03-01T00:00Z' }))).toBe(false);
  });

  test.each([{}, 'x', [1], [null]])('rejects the warnings %j', (warnings) => {
    expect(isRecord(aRecord({ warnings }))).toBe(false);
  });

  test('rejects any JSON that is not an object', () => {
    const other = fc.jsonValue().filter((v) => typeof v !== 'object' || Array.isArray(v));

    fc.assert(fc.property(other, (value) => !isRecord(value)));
  });
});
