/** A data folder with ranked operators, on which the built server starts. */
import { bucketsOfDays } from './builders.ts';
import { anActive } from './boards.ts';
import { type TestContext, testContext } from './context.ts';
import { daysAgo } from '../agent/installation.ts';

/**
 * This many operators with 25 days each. No two are alike, and every third one uses another tool.
 *
 * @param more Adds others.
 */
export function aFilledFolder(
  operators: number,
  more: (ctx: TestContext) => void = () => undefined,
): string {
  const ctx = testContext();
  for (let at = 0; at < operators; at += 1) {
    const tool = at % 3 === 0 ? 'codex' : 'claude-code';
    const days = bucketsOfDays(25, daysAgo(26), { tool }).map((bucket, day) => {
      const output = 10_000 + at * 997 + ((day * 7_919 + at * 104_729) % 5_003);
      return { ...bucket, output, cache_read: 1_000_000 + ((day * 15_485_863 + at) % 800_011) };
    });
    anActive(ctx, `op-${at}`, days);
  }
  more(ctx);
  ctx.store.close();
  return ctx.config.dataDir;
}
