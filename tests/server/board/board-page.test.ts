import { describe, expect, test } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { boardQuery } from '#core/domain/board/board-path.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import {
  type BoardPage,
  frontView,
  isFrontBoard,
  readBoardPage,
  readFrontPage,
} from '#server/board/board-page.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { preparedAddress, preparedAddresses, isMemorable } from '#server/publication/addresses.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, execute, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const BOARD = { window: '30d', metric: 'yield' } as const;
const answer = (ctx: TestContext, query = '', board: Parameters<typeof readBoardPage>[1] = BOARD) =>
  readBoardPage(ctx, board, new URLSearchParams(query));

function pageOf(...asked: Parameters<typeof answer>): BoardPage {
  const page = answer(...asked);
  if (typeof page === 'string') throw new Error(`There is no such page: ${page}`);
  return page;
}

/** The same page; each reads its details when it is shown. */
const likePage = (page: BoardPage) => ({ ...page, details: expect.any(Function) as unknown });

const namesOn = ({ sheet }: BoardPage) => sheet.entries.map(({ codename }) => codename);

describe('readBoardPage()', () => {
  test("shows the API's data, on the first page and on further ones", () => {
    const ctx = aBoard(55);
    const asked = { window: '30d', metric: 'velocity' } as const;
    const read = (query: object) =>
      readLeaderboard(ctx, LeaderboardQuery.parse({ ...asked, ...query }));
    const first = read({});
    const whole = read({ include: 'unranked' });

    const page = pageOf(ctx, '', asked);
    const further = pageOf(ctx, `after=${page.sheet.next_cursor ?? ''}`, asked);

    const { unranked, unranked_total } = whole;
    expect(page.sheet).toEqual({ ...first, q: null, unranked, unranked_total });
    expect(further.sheet).toEqual({ ...read({ cursor: first.next_cursor }), q: null });
    expect(further.sheet.entries).toHaveLength(5);
    expect([page.first, further.first]).toEqual([true, false]);
  });

  test('exists for each tool that the board lists', () => {
    const ctx = testContext();
    const tools = [' x', 'x ', ' ', '\u00a0'];
    for (let at = 0; at < 10; at += 1) {
      anActive(
        ctx,
        `op-${at}`,
        tools.flatMap((tool) => tenDays({ tool })),
      );
    }
    const publication = publish(ctx);

    expect([...publication.tools].sort()).toEqual([...tools].sort());
    for (const tool of tools) {
      const [, query = ''] = boardQuery({ tool }).split('?');
      expect(pageOf(ctx, query).sheet.tool).toBe(tool);
    }
    const boards = preparedAddresses(publication).filter((address) => address.includes('tool='));
    expect(boards.length).toBeGreaterThan(0);
    for (const address of boards) {
      expect(typeof answer(ctx, preparedAddress(address).split('?')[1])).toBe('object');
    }
  });

  test('ignores spaces around a search term, and a term of spaces', () => {
    const ctx = aBoard(3);

    expect(pageOf(ctx, 'q=%20')).toEqual(likePage(pageOf(ctx)));
    expect(pageOf(ctx, 'q=%20op-1%20').sheet.q).toBe('op-1');
  });

  test('links to further pages with stable addresses', () => {
    const ctx = aBoard(120);
    const path = '/leaderboard/30d/yield';
    const second = pageOf(ctx, `after=${pageOf(ctx).sheet.next_cursor ?? ''}`);
    const third = pageOf(ctx, `after=${second.sheet.next_cursor ?? ''}`);

    const cursors = [second.cursor, third.cursor, third.previous];
    expect(cursors.map((after) => isMemorable(path + boardQuery({ after })))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('links back page by page', () => {
    const ctx = aBoard(120);
    const second = pageOf(ctx, `after=${pageOf(ctx).sheet.next_cursor ?? ''}`);
    const third = pageOf(ctx, `after=${second.sheet.next_cursor ?? ''}`);

    expect(second.previous).toBeNull();
    expect(namesOn(pageOf(ctx, `after=${third.previous ?? ''}`))).toEqual(namesOn(second));
  });

  test('applies known filters, and ignores empty and unknown ones', () => {
    const ctx = aBoard(12);
    anActive(ctx, 'zoe', tenDays({ tool: 'codex' }), 'self_reported');
    anActive(ctx, 'zed', tenDays({ tool: 'codex' }));
    publish(ctx);

    expect(pageOf(ctx, 'q=&class=&cohort=&utm=x&trust=')).toEqual(likePage(pageOf(ctx)));
    expect(namesOn(pageOf(ctx, 'q=%20op-1%20'))).toEqual(['op-10', 'op-11', 'op-1']);
    expect(namesOn(pageOf(ctx, 'tool=codex'))).toEqual(['zed']);
    expect(namesOn(pageOf(ctx, 'tool=codex&trust=all')).sort()).toEqual(['zed', 'zoe']);
    expect(namesOn(pageOf(ctx, 'class=ocean'))).toEqual([]);
  });

  test.each([
    'tool=nothing',
    'cohort=nothing',
    'class=puddle',
    'trust=me',
    `q=${'x'.repeat(81)}`,
    'tool=nothing&after=1.50.0.0123456789abcdef',
  ])('has no board for %s', (query) => {
    expect(answer(aBoard(3), query)).toBe('unknown');
  });

  test('is "gone" if its cursor is invalid', () => {
    const ctx = aBoard(60);
    const cursor = pageOf(ctx).sheet.next_cursor ?? '';

    expect(answer(ctx, 'after=x')).toBe('gone');
    expect(answer(ctx, `after=${cursor}&q=op`)).toBe('gone');
    expect(answer(ctx, `after=${cursor.replace(/^\d+/, '99')}`)).toBe('gone');
  });

  test('throws service_unavailable, and is not "gone", if there is no board', () => {
    const ctx = aBoard(60);
    const after = `after=${pageOf(ctx).sheet.next_cursor ?? ''}`;
    const byId = () => {
      throw new DomainError('service_unavailable', 'No board is published yet');
    };
    ctx.publications = { ...ctx.publications, byId };

    expect(() => answer(ctx, after)).toThrow(refusal('service_unavailable'));
  });

  test('finds the longest window with tokens on this board', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(20, '2026-01-01'));
    anActive(ctx, 'bob', bucketsOfDays(20, '2025-01-01', { tool: 'codex' }));
    anActive(ctx, 'cat', bucketsOfDays(20, '2025-01-01', { tool: 'codex' }));
    for (const name of ['dan', 'eve']) {
      anActive(ctx, name, bucketsOfDays(9, '2025-01-01', { tool: 'by-hand' }), 'self_reported');
    }
    publish(ctx);

    expect(pageOf(ctx).elsewhere).toBe('all_time');
    expect(pageOf(ctx, 'tool=codex').elsewhere).toBe('all_time');
    expect(pageOf(ctx, 'tool=by-hand').elsewhere).toBeNull();
    expect(pageOf(ctx, 'tool=by-hand&trust=all').elsewhere).toBe('all_time');
    expect(pageOf(ctx, 'class=ocean').elsewhere).toBeNull();
    expect(pageOf(ctx, 'q=nobody').elsewhere).toBeNull();
    expect(pageOf(ctx, '', { window: '90d', metric: 'yield' }).elsewhere).toBeNull();
  });
});

describe('details of rows', () => {
  /** Ada, with an avatar and a history, in a privacy mode. */
  function aBoardWithPicture(privacy_mode: PrivacyMode): TestContext {
    const ctx = aBoard(6);
    anActive(ctx, 'ada', tenDays({ output: 90_000 }));
    const { id } = ctx.store.operators.byCodename('ada') ?? { id: 0 };
    const body = new Uint8Array([1]);
    ctx.store.avatars.set({ operator_id: id, hash: 'abc', body, updated_at: '' });
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));
    publish(ctx);
    return ctx;
  }

  async function detailsOfBest(ctx: TestContext) {
    const page = pageOf(ctx);
    return (await page.details()).get(page.sheet.entries[0]?.codename ?? '');
  }

  test('include avatars, and the days of operators with a public history', async () => {
    const [identified, pseudonymous, anonymous] = await Promise.all(
      (['identified', 'pseudonymous', 'anonymous'] as const).map((mode) =>
        detailsOfBest(aBoardWithPicture(mode)),
      ),
    );

    expect(identified?.avatar).toBe('/avatars/abc.webp');
    expect(identified?.trend).toHaveLength(30);
    expect(identified?.trend?.filter((value) => value !== null)).toHaveLength(10);
    expect(pseudonymous).toEqual({ avatar: null, trend: identified?.trend });
    expect(anonymous).toEqual({ avatar: null, trend: null });
  });

  test('are empty for operators who have changed their codename', async () => {
    const ctx = aBoardWithPicture('anonymous');
    const { id } = ctx.store.operators.byCodename('ada') ?? { id: 0 };
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'identified' }));

    expect(await detailsOfBest(ctx)).toEqual({ avatar: null, trend: null });
  });

  test('count the same days as the board', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', tenDays());
    anActive(ctx, 'ada', tenDays({ tool: 'codex', output: 30_000 }));
    anActive(ctx, 'ada', tenDays({ tool: 'zed', output: 50_000 }), 'self_reported');
    anActive(ctx, 'ada', tenDays({ tool: 'codex', model: 'held', output: 70_000 }));
    execute(ctx, `UPDATE buckets SET counts = 0 WHERE model = 'held'`);
    anActive(ctx, 'bob', tenDays({ tool: 'codex' }));
    publish(ctx);
    const asked = { window: '30d', metric: 'velocity' } as const;
    const lastOf = async (query: string) => {
      const details = await pageOf(ctx, query, asked).details();
      return details.get('ada')?.trend?.findLast((value) => value !== null);
    };

    expect(await lastOf('')).toBeCloseTo(40_000 / 2_200);
    expect(await lastOf('tool=codex')).toBeCloseTo(30_000 / 1_100);
    expect(await lastOf('trust=all')).toBeCloseTo(90_000 / 3_300);
  });
});

test('the front page shows the board of one tool, which also has its own address', () => {
  const ctx = aBoard(10);
  const front = readFrontPage(ctx);

  expect(frontView(ctx).tool).toBe('claude-code');
  expect(front).toEqual(likePage(pageOf(ctx, 'tool=claude-code')));
  expect(isFrontBoard(ctx, front.sheet)).toBe(true);
  for (const query of ['', 'tool=claude-code&trust=all', 'tool=claude-code&class=falls']) {
    expect(isFrontBoard(ctx, pageOf(ctx, query).sheet)).toBe(false);
  }
  expect(readFrontPage(aBoard(0)).sheet).toMatchObject({ tool: null, total: 0, unranked_total: 1 });
});
