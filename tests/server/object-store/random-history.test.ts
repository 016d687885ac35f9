/** Random histories, whose uploads are interrupted at random requests. */
import { expect, test } from 'vitest';
import { readPublications } from '#server/publication/stored/stored-publications.ts';
import { RandomHistory } from '#tests/support/history/random-history.ts';
import {
  aStoredBoard,
  expectComplete,
  payloadsIn,
  payloadsOf,
  readBack,
  textsIn,
} from '#tests/support/store/stored-board.ts';

test.each([3, 5])(
  'the store has what the board shows, and nothing else (seed %i)',
  async (seed) => {
    const history = new RandomHistory(seed);
    await history.begin();
    const { ctx, below } = history;
    const board = await aStoredBoard(ctx);
    for (let step = 0; step < 8; step += 1) {
      for (let more = below(3); more >= 0; more -= 1) await history.step();
      board.publishHiding();
      let left = below(40);
      board.s3.decide(() => (left-- > 0 ? 'pass' : below(2) === 0 ? 'break' : 'break_answer'));
      await board.upload();
      board.s3.decide(() => 'pass');
      if (below(2) === 0) board.restart();
      await board.upload();
      const after = history.steps.join('\n');
      await expectComplete(board);
      expect(await payloadsIn(board), after).toEqual(payloadsOf(ctx));
      const [read] = await readBack(board.s3);
      expect(read?.data, after).toEqual(readPublications(ctx.store)[0]?.data);
      const texts = await textsIn(board);
      const closed = ctx.store.operators.all().filter(({ is_open }) => is_open === 0);
      expect(
        closed.filter(({ codename }) => texts.includes(`"${codename}"`)),
        after,
      ).toEqual([]);
    }
  },
  300_000,
);
