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
  ])('says what is chosen: %o', (over, title) => {
    expect(sheetTitle({ ...board, ...over })).toBe(title);
  });
});

test('whether anybody moved is told of rows that say so', () => {
  const moved = (day: number | null) => ({ movement: { day, week: 3 } });
  expect(hasMoved([moved(null), moved(0)])).toBe(false);
  expect(hasMoved([moved(0), moved(-1)])).toBe(true);
});

test('beside a metric stand two others, of which none repeats it', () => {
  for (const metric of METRIC_NAMES) {
    const shown = [metric, ...companionsOf(metric)];
    expect(new Set(shown).size).toBe(3);
  }
});
