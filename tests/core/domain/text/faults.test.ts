import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { IN_WORDS, faultsOf, parseAs, pointerOf } from '#core/domain/text/faults.ts';
import { SnapshotPayload } from '#core/schema/snapshot.ts';
import { aPayload, aRecord } from '#tests/support/board/builders.ts';
import { refusal } from '#tests/support/http/refusal.ts';

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
  test('returns a value that matches', () => {
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
  ])('throws with a fault at %s', (pointer, value) => {
    expect(() => parseAs(SnapshotPayload, value, 'The payload')).toThrow(
      refusal('validation_failed', pointer),
    );
  });
});

describe('the message of a fault', () => {
  const Schema = z.strictObject({
    name: z.string().min(1),
    count: z.int().min(1).max(20),
    share: z.number().gt(0),
    kind: z.enum(['day', 'week']),
    flag: z.literal(false),
    list: z.array(z.int()).max(2),
    id: z.uuid(),
    code: z.string().regex(/^a+$/, 'must be of a only'),
    plain: z.string().regex(/^a+$/),
    either: z.union([z.string(), z.boolean()]),
  });
  const valid = {
    ...{ name: 'a', count: 1, share: 1, kind: 'day', flag: false, list: [] },
    ...{ id: crypto.randomUUID(), code: 'a', plain: 'a', either: 'a' },
  };

  test.each([
    [{ name: undefined }, 'is missing'],
    [{ name: 1 }, 'must be text'],
    [{ name: null }, 'must be text'],
    [{ name: '' }, 'must have at least 1 character'],
    [{ count: 'x' }, 'must be a number'],
    [{ count: 0.5 }, 'must be a whole number'],
    [{ count: 21 }, 'must be at most 20'],
    [{ count: 0 }, 'must be at least 1'],
    [{ share: 0 }, 'must be more than 0'],
    [{ kind: 'year' }, 'must be one of: day, week'],
    [{ kind: undefined }, 'is missing; must be one of: day, week'],
    [{ flag: true }, 'must be false'],
    [{ list: {} }, 'must be a list'],
    [{ list: [1, 2, 3] }, 'must have at most 2 entries'],
    [{ id: 'x' }, 'must be a UUID'],
    [{ code: 'b' }, 'must be of a only'],
    [{ plain: 'b' }, 'must match /^a+$/'],
    [{ either: 1 }, "must match one of the schema's alternatives"],
    [{ either: undefined }, 'is missing'],
    [{ p: 1 }, 'has an unknown member: "p"'],
    [{ p: 1, q: 2 }, 'has unknown members: "p", "q"'],
  ])('of %o: %s', (misfit, detail) => {
    expect(Schema.safeParse(valid, IN_WORDS).success).toBe(true);
    expect(() => parseAs(Schema, { ...valid, ...misfit }, 'It')).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ detail })] }),
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
