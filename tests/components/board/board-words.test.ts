import { describe, expect, test } from 'vitest';
import type { BoardSheet } from '#components/board/board-sheet.ts';
import { companionsOf, hasMoved, sheetTitle } from '#components/board/board-words.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';

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

test('a metric is shown with two others that differ from it', () => {
  for (const metric of METRIC_NAMES) {
    const shown = [metric, ...companionsOf(metric)];
    expect(new Set(shown).size).toBe(3);
  }
});
