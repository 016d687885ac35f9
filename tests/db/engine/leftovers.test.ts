import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { SELF_REPORT_PAYLOAD_TYPE } from '#core/schema/self-report.ts';
import type { Marks } from '#db/engine/leftovers.ts';
import { uuidBytes } from '#db/packed/uuid-bytes.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { type TestDevice, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  execute,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

/**
 * A board with an operator of this ID, formerly zoe. No hash spells that name by chance; free space and an index
 * still contain it.
 */
function aBoardWithLeftover(id: number) {
  const ctx = testContext();
  const operator = anOperator(ctx, 'zoe');
  execute(
    ctx,
    `PRAGMA foreign_keys = OFF; UPDATE operators SET id = ${id} WHERE id = ${operator.id}`,
  );
  const marks = ctx.store.leftovers.marksOf(id);
  execute(
    ctx,
    `PRAGMA secure_delete = OFF; UPDATE operators SET codename = 'bob', public_id = 'p'`,
  );
  ctx.store.erasure.checkpoint();
  return { ctx, marks };
}

/** Whether the file contains any of the marks. */
function holds({ store }: TestContext, marks: Marks): boolean {
  let at: number | null = 0;
  while (at !== null) {
    const { isFound, next } = store.leftovers.search(marks, at);
    if (isFound) return true;
    at = next;
  }
  return false;
}

describe('leftovers', () => {
  test.each([1, 2, 127, 128, 255, 256, 32_767, 32_768, 8_388_607, 8_388_608])(
    'are found by a short name and the ID %i, and gone after the file is rewritten',
    (id) => {
      const { ctx, marks } = aBoardWithLeftover(id);
      const [name] = marks.filter((mark) => Buffer.from(mark).includes('zoe'));
      const { leftovers, erasure } = ctx.store;
      expect(holds(ctx, [name ?? new Uint8Array()])).toBe(true);

      execute(ctx, `UPDATE operators SET public_name = 'bob'`);
      leftovers.rewrite();

      expect(erasure.checkpoint()).toBe(true);
      expect(holds(ctx, marks)).toBe(false);
    },
  );
});

test('rows of daily counts are found by their names, and packed months by their bytes', async () => {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'bob'), bucketsOfDays(9, '2026-02-20'));
  const eve = anOperator(ctx, 'eve');
  const device = await anEnrolledDevice(ctx, 'eve');
  const own = bucketsOfDays(9, '2026-02-01', { model: 'a-model-of-eve' });
  await submit(
    ctx,
    device,
    own.map((bucket, at) => ({ ...bucket, input: 70_000 + at })),
  );
  const [name, block] = ctx.store.leftovers.marksOf(eve.id).slice(-2);
  const marks = [name ?? new Uint8Array(), block ?? new Uint8Array()];
  expect(Buffer.from(marks[0] as Uint8Array).toString()).toContain('a-model-of-eve');
  const held = () => marks.map((mark) => holds(ctx, [mark]));

  execute(
    ctx,
    `PRAGMA secure_delete = OFF; DELETE FROM sources WHERE operator_id = ${eve.id};
     DELETE FROM usage_blocks WHERE operator_id = ${eve.id};`,
  );
  ctx.store.erasure.checkpoint();
  expect(held()).toEqual([true, true]);
  ctx.store.leftovers.rewrite();
  ctx.store.erasure.checkpoint();
  expect(held()).toEqual([false, false]);
});

/** Deletes an account from tables only, without `secure_delete`, as if each of its rows had left a copy. */
function abandon(ctx: TestContext, id: number): void {
  execute(
    ctx,
    `PRAGMA secure_delete = OFF;
     UPDATE packed_entries SET mark = NULL, salt = NULL, form = 0, payload = NULL, operator_id = NULL
     WHERE operator_id = ${id};
     DELETE FROM packed_submissions WHERE operator_id = ${id};
     DELETE FROM words WHERE operator_id = ${id};`,
  );
  ctx.store.erasure.checkpoint();
}

describe('packed rows', () => {
  const SECRET = 'a-secret-of-eve';
  const payloads = {
    'as it came': (salted: string) => ({ a: salted }),
    compressed: (salted: string) => ({ a: salted.repeat(20) }),
    'an unsigned envelope': (salted: string) => ({
      payloadType: SELF_REPORT_PAYLOAD_TYPE,
      payload: Buffer.from(salted.repeat(20)).toString('base64'),
      signatures: [],
    }),
  };

  test.each(Object.entries(payloads))(
    'that a deletion leaves are found, and gone after it: %s',
    (_, payloadOf) => {
      const ctx = testContext();
      const { id } = anOperator(ctx, 'eve');
      const [now, kind] = [ctx.now(), 'visibility'] as const;
      const payload = payloadOf(SECRET);
      ctx.store.transaction(() => ctx.store.log.append({ kind, operator_id: id, payload, now }));
      const [{ stored } = { stored: Buffer.alloc(0) }] = query<{ stored: Buffer }>(
        ctx,
        `SELECT payload AS stored FROM packed_entries WHERE operator_id = ${id}`,
      );
      const [mark] = wordMarks(ctx, id);

      abandon(ctx, id);

      const { leftovers, erasure } = ctx.store;
      expect(holds(ctx, [mark ?? stored])).toBe(true);
      leftovers.rewrite();
      expect(erasure.checkpoint()).toBe(true);
      expect(holds(ctx, [stored, mark ?? stored, Buffer.from(SECRET)])).toBe(false);
    },
  );

  test('of submissions are found by the marks of their account', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'eve');
    const { answer } = await submit(ctx, device, [aBucket()]);
    await submitByHand(ctx, device);
    const id = ctx.store.operators.byCodename('eve')?.id ?? 0;
    const marks = ctx.store.leftovers.marksOf(id);
    const ofWords = wordMarks(ctx, id);
    const used = query<{ mark: number }>(
      ctx,
      `SELECT mark FROM packed_entries WHERE operator_id = ${id}
       UNION SELECT mark FROM packed_submissions WHERE operator_id = ${id}`,
    );

    ctx.store.erasure.checkpoint();

    // Each row has one of the marks.
    const hex = marks.map((mark) => Buffer.from(mark).toString('hex'));
    expect(used.length).toBeGreaterThan(2);
    for (const { mark } of used)
      expect(hex).toContain((mark < 0 ? 2 ** 48 + mark : mark).toString(16));
    expect(used.some(({ mark }) => mark < 0)).toBe(true);
    expect(ofWords.some((mark) => holds(ctx, [mark]))).toBe(true);

    abandon(ctx, id);
    expect(ofWords.some((mark) => holds(ctx, [mark]))).toBe(true);
    ctx.store.leftovers.rewrite();
    ctx.store.erasure.checkpoint();
    expect(holds(ctx, ofWords)).toBe(false);
    expect(holds(ctx, [uuidBytes(answer.id) as Buffer])).toBe(false);
  });
});

/** The marks that are numbers of words. */
function wordMarks(ctx: TestContext, id: number): Uint8Array[] {
  return ctx.store.leftovers.marksOf(id).filter(({ length }) => length === 6);
}

async function submitByHand(ctx: TestContext, device: TestDevice): Promise<void> {
  const operator_id = ctx.store.devices.key(device.keyid)?.operator_id ?? 0;
  const text = JSON.stringify(composeRecord(aBucket({ tool: 'by-hand' })));
  await submitRecords(ctx, { operator_id }, { text, idempotencyKey: undefined });
}
