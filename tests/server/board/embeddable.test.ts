import { describe, expect, test } from 'vitest';
import { readEmbeddable } from '#server/board/embeddable.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { publish } from '#tests/support/board/context.ts';

function aScene() {
  const ctx = aBoard(3);
  anActive(ctx, 'ada', tenDays());
  publish(ctx);
  const { baseUrl } = ctx.config;
  const id = ctx.store.operators.byCodename('ada')?.id ?? 0;
  return { ctx, id, read: (path: string) => readEmbeddable(ctx, baseUrl + path) };
}

describe('readEmbeddable()', () => {
  test('finds boards and operators by their address', () => {
    const { read } = aScene();
    const board = { kind: 'board', window: '30d', metric: 'yield', tool: null, isWhole: true };

    expect(read('/')).toEqual(board);
    expect(read('/leaderboard/30d/yield?utm=x#join')).toEqual(board);
    expect(read('/leaderboard/7d/snr?tool=claude-code')).toEqual({
      ...board,
      window: '7d',
      metric: 'snr',
      tool: 'claude-code',
    });
    expect(read('/leaderboard/30d/yield?class=river')).toEqual({ ...board, isWhole: false });
    expect(read('/operators/ada')).toEqual({ kind: 'operator', codename: 'ada' });
  });

  test.each([
    '/leaderboard/1d/yield',
    '/leaderboard/30d/wealth',
    '/leaderboard/30d/yield?tool=hammer',
    '/operators/nobody',
    '/challenges/none',
    '/settings',
    '/embed/board',
  ])('does not know %s', (path) => {
    const { read } = aScene();
    expect(() => read(path)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('does not reveal operators without a page', async () => {
    const { ctx, id, read } = aScene();
    ctx.publications.publishNow = () => Promise.resolve();
    await updateProfile(ctx, id, { privacy_mode: 'anonymous' });
    publish(ctx, 2);

    const refusalOf = (name: string) => {
      try {
        return read(`/operators/${name}`);
      } catch (error) {
        return (error as Error).message.replace(name, 'NAME');
      }
    };
    expect(refusalOf('ada')).toBe(refusalOf('nobody'));
  });

  test.each([null, '', 'nonsense', 'https://other.example/', 'javascript:alert(1)', '/'])(
    'needs an address of this board, not %j',
    (asked) => {
      const { ctx } = aScene();
      expect(() => readEmbeddable(ctx, asked)).toThrow(
        expect.objectContaining({ code: 'query_invalid' }),
      );
    },
  );
});
