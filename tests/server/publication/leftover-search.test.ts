import { expect, test } from 'vitest';
import { LeftoverSearch } from '#server/publication/leftover-search.ts';
import { anOperator, execute, testContext } from '#tests/support/board/context.ts';
import { eventually } from '#tests/support/http/server.ts';

/** A board whose file still contains the ID of an operator who is gone. */
function aBoardWithLeftover() {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'zoe-of-the-sea');
  const marks = ctx.store.leftovers.marksOf(id);
  execute(
    ctx,
    `PRAGMA secure_delete = OFF;
     CREATE TABLE moved (text TEXT);
     INSERT INTO moved SELECT public_id FROM operators;
     DELETE FROM moved;
     UPDATE operators SET codename = 'bob', public_id = 'p', public_name = 'bob'`,
  );
  ctx.store.erasure.checkpoint();
  const isLeft = () => ctx.store.leftovers.search(marks, 0).isFound;
  return { ctx, marks, isLeft };
}

test('a deletion waits for the search only for a while, and the rest is done later', async () => {
  const { ctx, marks, isLeft } = aBoardWithLeftover();
  const search = new LeftoverSearch(ctx.store, []);

  search.begin(marks);
  search.run(0);
  expect([search.isSettled, isLeft()]).toEqual([false, true]);
  search.goOn();

  await eventually(
    async () => search.isSettled,
    (isSettled) => isSettled,
  );
  expect([isLeft(), search.isSound, search.marks]).toEqual([false, true, []]);
});

test('a new thread continues the search of an earlier one', () => {
  const { ctx, marks, isLeft } = aBoardWithLeftover();

  const search = new LeftoverSearch(ctx.store, marks);
  search.run(1_000);

  expect([isLeft(), search.isSettled]).toEqual([false, true]);
});

test('leftovers that another connection protects are sought again with the next request', () => {
  const { ctx, marks, isLeft } = aBoardWithLeftover();
  const { rewrite } = ctx.store.leftovers;
  ctx.store.leftovers.rewrite = () => {
    throw new Error('database is locked');
  };
  const search = new LeftoverSearch(ctx.store, marks);
  search.run(1_000);
  expect([search.isSound, search.marks]).toEqual([false, marks]);

  ctx.store.leftovers.rewrite = rewrite;
  search.begin([]);
  search.run(1_000);

  expect([isLeft(), search.isSound]).toEqual([false, true]);
});
