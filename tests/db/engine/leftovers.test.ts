import { describe, expect, test } from 'vitest';
import { anOperator, execute, testContext } from '#tests/support/board/context.ts';

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

describe('leftovers', () => {
  test.each([1, 2, 127, 128, 255, 256, 32_767, 32_768, 8_388_607, 8_388_608])(
    'are found by a short name and the ID %i, and gone after the file is rewritten',
    (id) => {
      const { ctx, marks } = aBoardWithLeftover(id);
      const [name] = marks.filter((mark) => Buffer.from(mark).includes('zoe'));
      const { leftovers, erasure } = ctx.store;
      expect(leftovers.holds([name ?? new Uint8Array()])).toBe(true);

      execute(ctx, `UPDATE operators SET public_name = 'bob'`);
      leftovers.rewrite();

      expect(erasure.checkpoint()).toBe(true);
      expect(leftovers.holds(marks)).toBe(false);
    },
  );
});
