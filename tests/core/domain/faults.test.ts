import { describe, expect, test } from 'vitest';
import { faultsOf, parseAs, pointerOf } from '#core/domain/faults.ts';
import { SnapshotPayload } from '#core/schema/snapshot.ts';
import { aPayload, aRecord } from '#tests/support/builders.ts';
import { refusal } from '#tests/support/refusal.ts';

describe('pointerOf()', () => {
  test.each([
    [[], '#'],
    [['records', 3, 'metrics'], '#/records/3/metrics'],
    [['a/b', 'c~d', 'e f', 'ü', ''], '#/a~1b/c~0d/e%20f/%C3%BC/'],
  ])('writes %j as %s', (path, pointer) => {
    expect(pointerOf(path)).toBe(pointer);
  });
});

describe('parseAs()', () => {
  test('returns the value that fits', () => {
    const payload = aPayload();

    expect(parseAs(SnapshotPayload, payload, 'The payload')).toEqual(payload);
  });

  test.each([
    ['#/records/1/spec', aPayload({ records: [aRecord(), aRecord({ spec: 'x' })] })],
    ['#/records/0', aPayload({ records: [{ ...aRecord(), extra: 1 }] })],
    ['#/records', aPayload({ records: [] })],
    ['#/collector', aPayload({ collector: null })],
    ['#/submission_id', aPayload({ submission_id: 'x' })],
    ['#/correction', aPayload({ correction: undefined })],
    ['#', { ...aPayload(), extra: 1 }],
  ])('refuses with a fault at %s', (pointer, value) => {
    expect(() => parseAs(SnapshotPayload, value, 'The payload')).toThrow(
      refusal('validation_failed', pointer),
    );
  });
});

describe('faultsOf()', () => {
  test('lists at most 20', () => {
    const issues = Array.from({ length: 50 }, (_, at) => ({ path: [at], code: 'c', message: 'm' }));

    expect(faultsOf(issues)).toHaveLength(20);
    expect(faultsOf(issues)[0]).toEqual({ pointer: '#/0', code: 'c', detail: 'm' });
  });
});
