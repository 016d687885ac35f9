import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { MAX_FAULTS, parseAs } from '#core/domain/text/faults.ts';
import { OperatorRecord, RECORD_BOUNDS } from '#core/schema/record.ts';
import { readSelfReport } from '#core/domain/signing/self-report.ts';
import { readSnapshot } from '#core/domain/signing/snapshot.ts';
import { BASE_URL, aPayload, aRecord } from '#tests/support/board/builders.ts';
import { inputSchemas, partsOf } from '#tests/support/http/input-schemas.ts';

/** Formats of zod whose values have a fixed length. */
const FIXED = ['date', 'uuid'];

/** Whether an anchored pattern has no unbounded repetition. */
function isBounded(pattern: RegExp): boolean {
  const plain = pattern.source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, 'x');
  return /^\^.*\$$/.test(plain) && !/[*+]|\{\d+,\}/.test(plain);
}

/** Returns the unbounded part of a schema; null if there is none. */
function endlessPart(schema: z.core.$ZodType): string | null {
  const { type, format, checks = [] } = schema._zod.def as z.core.$ZodTypeDef & { format?: string };
  if (['any', 'map', 'record', 'set'].includes(type)) return type;
  if (type !== 'array' && type !== 'string') return null;
  const bounds = checks.map(({ _zod }) => _zod.def as { check: string; pattern?: RegExp });
  const isBound = bounds.some(({ check, pattern }) => {
    return ['length_equals', 'max_length'].includes(check) || (pattern && isBounded(pattern));
  });
  if (isBound || FIXED.includes(format ?? '')) return null;
  return type === 'array' ? 'a list' : 'a text';
}

test('every list and text in requests has a maximum length', () => {
  const endless = inputSchemas().flatMap(([name, root]) => {
    return [...partsOf(name, root)].flatMap(({ place, schema }) => {
      const what = endlessPart(schema);
      return what === null ? [] : [`${place}: ${what}`];
    });
  });

  expect(endless).toEqual([]);
});

test('every list in requests is checked for its length before its entries', () => {
  const lists = inputSchemas().flatMap(([name, root]) => {
    const parts = [...partsOf(name, root)];
    const guarded = new Map(parts.map(({ schema }) => [outOf(schema), schema]));
    return parts.flatMap(({ place, schema }) => {
      return schema._zod.def.type === 'array' ? [{ place, guard: guarded.get(schema) }] : [];
    });
  });

  expect(lists.length).toBeGreaterThan(5);
  for (const { place, guard } of lists) {
    const parsed = (guard as z.ZodType | undefined)?.safeParse(Array(20_000).fill(Symbol('wrong')));
    expect([place, parsed?.error?.issues.map(({ code }) => code)]).toEqual([place, ['too_big']]);
  }
});

/** Returns the target of a pipe. */
function outOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { type, out } = schema._zod.def as z.core.$ZodTypeDef & { out?: z.core.$ZodType };
  return type === 'pipe' ? out : undefined;
}

/** Returns a payload with these records, as a device would sign it. */
function bytesOf(records: readonly unknown[]): Uint8Array {
  return Buffer.from(JSON.stringify(aPayload({ records })));
}

/** Returns the error that a function throws. */
function refusalOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

describe('input with very many faults', () => {
  const million = [aRecord({ warnings: Array(1_000_000).fill(1) })];
  const many = Array(5000).fill({ spec: 1, source: {}, telemetry: [], warnings: [1, 2, 3], x: 1 });

  test.each([
    ['a million warnings of the wrong type', million, 1],
    ['5,000 records in which everything is invalid', many, MAX_FAULTS],
  ])('is rejected with few faults: %s', (_, records, count) => {
    const refused = [
      refusalOf(() => readSnapshot(bytesOf(records), BASE_URL)),
      refusalOf(() => readSelfReport(JSON.stringify({ records }))),
    ];

    for (const refusal of refused) {
      expect(refusal).toMatchObject({ code: 'validation_failed' });
      expect((refusal as { faults: unknown[] }).faults).toHaveLength(count);
    }
  });

  test('is rejected even if zod itself fails', () => {
    const failing = {
      safeParse: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };

    expect(() => parseAs(failing, 1, 'The body')).toThrow('very many places');
  });
});

describe('a record', () => {
  const { warnings, warning_characters, context_members, context_characters } = RECORD_BOUNDS;
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));

  test.each([
    [
      '10 warnings of 200 characters',
      { warnings: Array(warnings).fill('x'.repeat(warning_characters)) },
    ],
    ['20 members in its context', { context: members(context_members) }],
    ['a context with other members', { context: { window: '1d', session: { id: [1, 'a'] } } }],
  ])('can have %s', (_, over) => {
    expect(OperatorRecord.safeParse(aRecord(over)).success).toBe(true);
  });

  test.each([
    ['11 warnings', { warnings: Array(warnings + 1).fill('x') }, '#/records/0/warnings'],
    ['a long warning', { warnings: ['x'.repeat(201)] }, '#/records/0/warnings/0'],
    ['many members in its context', { context: members(21) }, '#/records/0/context'],
    ['a long context', { context: { a: 'x'.repeat(context_characters) } }, '#/records/0/context'],
    ['a long window', { context: { window: 'x'.repeat(201) } }, '#/records/0/context/window'],
    [
      'a long timestamp',
      { timestamp: `2026-03-01T00:00:00.${'0'.repeat(99)}Z` },
      '#/records/0/timestamp',
    ],
  ])('must not have %s', (_, over, pointer) => {
    const refused = refusalOf(() => readSnapshot(bytesOf([aRecord(over)]), BASE_URL));

    expect(refused).toMatchObject({ code: 'validation_failed', faults: [{ pointer }] });
  });

  test('keeps unknown members of the context in the signed bytes', () => {
    const context = { window: '1d', session: 'abc' };
    const [read] = readSnapshot(bytesOf([aRecord({ context })]), BASE_URL).records;
    expect(read?.context).toEqual(context);
  });
});
