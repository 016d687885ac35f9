import { describe, expect, test } from 'vitest';
import { frontBoard } from '#server/publication/read/front-board.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';

/** This many operators are ranked by one tool. */
function addRanked(ctx: TestContext, tool: string, operators: number): void {
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `${tool}-${at}`, tenDays({ tool, output: 10_000 + at }));
  }
}

/** This many use the tool, but too little to be ranked. */
function addUnranked(ctx: TestContext, tool: string, operators: number): void {
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `${tool}-new-${at}`, bucketsOfDays(1, '2026-03-09', { tool }));
  }
}

const frontOf = (ctx: TestContext) => frontBoard(publish(ctx));

describe('frontBoard()', () => {
  test('is the yield in 30 days, of the tool with most ranked operators', () => {
    const ctx = testContext();
    addRanked(ctx, 'codex', 11);
    addRanked(ctx, 'gemini-cli', 10);

    expect(frontOf(ctx)).toEqual({ window: '30d', metric: 'yield', tool: 'codex' });
  });

  test('is not of the tool with most operators if they are not ranked', () => {
    const ctx = testContext();
    addRanked(ctx, 'codex', 10);
    addUnranked(ctx, 'gemini-cli', 11);

    const publication = publish(ctx);

    expect(publication.tools).toEqual(['gemini-cli', 'codex']);
    expect(frontBoard(publication).tool).toBe('codex');
  });

  test('is, of equal tools, of the one with most operators', () => {
    const ctx = testContext();
    addRanked(ctx, 'codex', 10);
    addRanked(ctx, 'zed', 10);
    addUnranked(ctx, 'zed', 1);

    expect(frontOf(ctx).tool).toBe('zed');
  });

  test('is of all tools if fewer than ten operators are ranked by each tool', () => {
    const ctx = testContext();
    addRanked(ctx, 'codex', 9);
    addRanked(ctx, 'gemini-cli', 2);

    expect(frontOf(ctx).tool).toBeNull();
    expect(frontOf(testContext()).tool).toBeNull();
  });

  test('does not count self-reports', () => {
    const ctx = testContext();
    addRanked(ctx, 'codex', 10);
    for (let at = 0; at < 11; at += 1) {
      anActive(ctx, `by-hand-${at}`, tenDays({ tool: 'by-hand' }), 'self_reported');
    }

    expect(frontOf(ctx).tool).toBe('codex');
  });
});
