import { describe, expect, test } from 'vitest';
import { CorpusEnd, CorpusQuery, CorpusRecord } from '#core/contract/corpus.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { readCorpus } from '#server/board/corpus.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { aBucket, aRecord, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

type Line = CorpusEnd | CorpusRecord;

function linesIn(pieces: Iterable<string>): Line[] {
  const lines = [...pieces].join('').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Line);
}

function read(ctx: TestContext, query: Record<string, string> = {}): Line[] {
  return linesIn(readCorpus(ctx, CorpusQuery.parse(query)));
}

function recordsIn(lines: readonly Line[]): CorpusRecord[] {
  return lines.filter((line): line is CorpusRecord => 'context' in line);
}

const cursors = (lines: readonly Line[]) => recordsIn(lines).map(({ context }) => context.cursor);
const names = (lines: readonly Line[]) => [
  ...new Set(recordsIn(lines).map(({ context }) => context.operator_id)),
];

/** A board on which `ada` and `bob` submitted, in this order. */
async function aScene() {
  const ctx = testContext();
  const ada = await anEnrolledDevice(ctx, 'ada');
  const bob = await anEnrolledDevice(ctx, 'bob');
  await submit(ctx, ada, bucketsOfDays(3, '2026-03-01'));
  await submit(ctx, bob, bucketsOfDays(2, '2026-03-01', { tool: 'codex' }));
  const see = (
    id: number,
    change: { privacy_mode?: PrivacyMode; data_opt_out?: 0 | 1; codename?: string },
  ) => ctx.store.transaction(() => changeVisibility(ctx, id, change));
  return { ctx, ada, bob, see };
}

describe('readCorpus()', () => {
  test('returns all records, and where they end', async () => {
    const { ctx } = await aScene();

    const lines = read(ctx);

    const account = ctx.store.operators.byId(1)?.public_id;
    const context = { privacy_mode: 'pseudonymous', window: '1d', account, trust: 'signed' };
    expect(lines[0]).toEqual({
      ...aRecord(),
      context: { ...context, operator_id: 'ada', cursor: '7.1' },
    });
    recordsIn(lines).forEach((line) => CorpusRecord.parse(line));
    expect(cursors(lines)).toEqual(['7.1', '7.2', '7.3', '8.1', '8.2']);
    expect(CorpusEnd.parse(lines.at(-1))).toEqual({ log_index: 8 });
  });

  test('is only the end for a board without records', () => {
    expect(read(testContext())).toEqual([{ log_index: 0 }]);
  });

  test.each<[string, { privacy_mode?: PrivacyMode; data_opt_out?: 0 | 1 }, string[]]>([
    ['identified', { privacy_mode: 'identified' }, ['bob', 'ada']],
    ['anonymous', { privacy_mode: 'anonymous' }, ['bob']],
    ['private', { privacy_mode: 'private' }, ['bob']],
    ['opted out', { data_opt_out: 1 }, ['bob']],
  ])('handles an operator who is %s', async (_, change, expected) => {
    const { ctx, see } = await aScene();
    see(1, change);

    expect(names(read(ctx))).toEqual(expected);
  });

  test('leaves out records that do not count, and marks unsigned ones', async () => {
    const { ctx, ada } = await aScene();
    const text = JSON.stringify({
      records: [aRecord(), aRecord({ source: { ...aRecord().source, tool: 'zed' } })],
    });
    await submitRecords(ctx, { operator_id: 1 }, { text, idempotencyKey: undefined });
    await submit(ctx, ada, [aBucket({ output: 1 })]);

    const own = recordsIn(read(ctx)).filter(({ context }) => context.operator_id === 'ada');
    expect(own.map(({ context, source }) => [source.tool, context.trust])).toEqual([
      ['claude-code', 'signed'],
      ['zed', 'self_reported'],
      ['claude-code', 'signed'],
      ['claude-code', 'signed'],
    ]);
  });

  test('returns all records of operators who changed since a log entry: by a submission, a withdrawal or a new name', async () => {
    const { ctx, ada, see } = await aScene();
    const { answer } = await submit(ctx, ada, [aBucket({ day: '2026-03-04' })]);
    expect(cursors(read(ctx, { since: '8' }))).toEqual(['9.1', '9.2', '9.3', '9.4']);

    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, answer.id);
    expect(cursors(read(ctx, { since: '9' }))).toEqual(['10.1', '10.2', '10.3']);

    see(2, { codename: 'robert' });
    const changed = read(ctx, { since: '10' });
    expect(names(changed)).toEqual(['robert']);
    expect(recordsIn(changed)[0]?.context.account).toBe(ctx.store.operators.byId(2)?.public_id);
    expect(read(ctx, { since: '11' })).toEqual([{ log_index: 11 }]);
  });

  test('continues after every line as if it had not stopped', async () => {
    const { ctx } = await aScene();
    const whole = read(ctx);

    recordsIn(whole).forEach(({ context }, at) => {
      expect(read(ctx, { cursor: context.cursor })).toEqual(whole.slice(at + 1));
    });
  });

  test('continues correctly if the operator of the cursor has changed or left', async () => {
    const { ctx, ada, see } = await aScene();
    await submit(ctx, ada, [aBucket({ output: 20_000 })]);

    expect(cursors(read(ctx, { cursor: '7.2' }))).toEqual(['8.1', '8.2', '9.1', '9.2', '9.3']);
    see(2, { privacy_mode: 'private' });
    expect(cursors(read(ctx, { cursor: '8.1' }))).toEqual(['9.1', '9.2', '9.3']);
  });

  test('returns every record once, or again with a higher number, while the board changes', async () => {
    const ctx = testContext();
    for (const name of ['ada', 'bob', 'cyd']) {
      const buckets = Array.from({ length: 450 }, (_, at) => aBucket({ model: `m${at}` })).map(
        (bucket, at) => ({
          ...bucket,
          model: `m${at % 150}`,
          day: `2026-03-0${1 + Math.floor(at / 150)}`,
        }),
      );
      await submit(ctx, await anEnrolledDevice(ctx, name), buckets);
    }
    const before = read(ctx);
    const pieces = readCorpus(ctx, CorpusQuery.parse({}))[Symbol.iterator]();
    const taken = [pieces.next().value as string];
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, [aBucket({ tool: 'late' })]);
    ctx.store.transaction(() => changeVisibility(ctx, 2, { privacy_mode: 'private' }));
    for (let next = pieces.next(); !next.done; next = pieces.next()) taken.push(next.value);

    const lines = recordsIn(linesIn(taken));
    const latest = new Map<string, string[]>();
    for (const { context, source, timestamp } of lines) {
      const change = context.cursor.split('.')[0] ?? '';
      const name = `${context.operator_id} ${change}`;
      latest.set(name, [
        ...(latest.get(name) ?? []),
        `${timestamp} ${source.tool} ${source.model}`,
      ]);
    }
    const [left, cyd, ada] = [...latest.values()];
    expect(recordsIn(before)).toHaveLength(1350);
    expect([...latest.keys()].map((name) => name.split(' ')[0])).toEqual(['ada', 'cyd', 'ada']);
    expect(left?.length).toBeLessThan(450);
    expect([new Set(cyd).size, new Set(ada).size]).toEqual([450, 451]);
    expect([cyd?.length, ada?.length]).toEqual([450, 451]);
  });

  test('reads nothing before it is iterated', async () => {
    const { ctx } = await aScene();
    const pieces = readCorpus(ctx, CorpusQuery.parse({}));
    ctx.store.transaction(() => changeVisibility(ctx, 1, { data_opt_out: 1 }));

    expect(names(linesIn(pieces))).toEqual(['bob']);
  });

  test.each(['x', '7', '7.', '.1', '0.1', '7.0', '07.1', '7.1.1', '-7.1', '7.1 ', '1e3.1'])(
    'throws query_invalid for the cursor %j',
    (cursor) => {
      expect(() => readCorpus(testContext(), CorpusQuery.parse({ cursor }))).toThrow(
        refusal('query_invalid'),
      );
    },
  );

  test('throws query_invalid for a position beyond the log', async () => {
    const { ctx } = await aScene();
    const head = ctx.store.log.head()?.index ?? 0;
    const ask = (query: Record<string, string>) => () => read(ctx, query);

    expect(read(ctx, { since: String(head) })).toEqual([{ log_index: head }]);
    expect(ask({ since: String(head + 1) })).toThrow(refusal('query_invalid'));
    expect(ask({ cursor: `${head + 1}.1` })).toThrow(refusal('query_invalid'));
  });

  test('includes an operator without records', () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');
    expect(read(ctx)).toEqual([{ log_index: 0 }]);
  });
});
