import { type Guide, guideSteps } from '#core/contract/openapi/guide.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { AppContext } from '../context.ts';
import { anotherTurn, oneByOne } from '../process/yield-to-event-loop.ts';
import { readKnownNames } from './known-names.ts';

/** What the page for developers shows, and how its long parts wait for each other. */
export interface DeveloperGuide extends Guide {
  known: Record<string, string>;
  turn: () => Promise<void>;
}

/** The guide to all operations, made while other requests are answered. */
export async function readGuide(ctx: AppContext): Promise<DeveloperGuide> {
  const known = readKnownNames(ctx);
  const steps = guideSteps(ROUTES, { baseUrl: ctx.config.baseUrl, known });
  let step = steps.next();
  while (!step.done) {
    await anotherTurn();
    step = steps.next();
  }
  return { ...step.value, known, turn: oneByOne() };
}
