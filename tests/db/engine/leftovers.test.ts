import { describe, expect, test } from 'vitest';
import type { Marks } from '#db/engine/leftovers.ts';
import {
  type TestContext,
  anOperator,
  execute,
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
