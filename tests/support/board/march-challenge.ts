import { createChallenge } from '#server/challenge/create-challenge.ts';
import type { TestContext } from './context.ts';

/** The challenge of {@linkcode addMarchChallenge}. */
export const MARCH = 'march-by-yield';

/** Adds a challenge by yield from 12 to 20 March. It closes at the end of the 22nd. */
export function addMarchChallenge(ctx: TestContext): void {
  const request = {
    id: MARCH,
    title: 'March by yield',
    description: 'A test.',
    metric: 'yield' as const,
    tool: null,
    first_day: '2026-03-12',
    last_day: '2026-03-20',
    eligibility: {},
  };
  createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}
