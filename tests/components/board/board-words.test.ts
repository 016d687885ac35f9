import { describe, expect, test } from 'vitest';
import type { BoardSheet } from '#components/board/board-sheet.ts';
import { hasMoved, sheetTitle } from '#components/board/board-words.ts';

const board = {
  window: '30d',
  metric: 'yield',
  tool: null,
  tools: ['claude-code'],
  trust: 'signed',
  class: null,
  cohort: null,
  cohorts: [{ id: 'night', name: 'Night shift' }],
  q: null,
} satisfies Partial<BoardSheet>;

describe('sheetTitle()', () => {
  test.each([
    [{ tools: [] }, 'Yield leaderboard, last 30 days'],
    [{}, 'Yield leaderboard, last 30 days, all tools'],
    [{ tool: 'claude-code' }, 'Yield leaderboard, last 30 days, claude-code'],
    [
      { tool: 'claude-code', trust: 'all', class: 'falls', cohort: 'night', q: 'ada' } as const,
      'Yield leaderboard, last 30 days, claude-code, including unsigned, class Falls, cohort Night shift, named “ada”',
    ],
    [
      { class: 'unclassed' } as const,
      'Yield leaderboard, last 30 days, all tools, class unclassed',
    ],
  ])('names the filters: %o', (over, title) => {
    expect(sheetTitle({ ...board, ...over })).toBe(title);
  });
});

test('hasMoved() is true if any row has a change', () => {
  const moved = (day: number | null) => ({ movement: { day, week: 3 } });
  expect(hasMoved([moved(null), moved(0)])).toBe(false);
  expect(hasMoved([moved(0), moved(-1)])).toBe(true);
});
