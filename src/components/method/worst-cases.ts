/** The worst results of the simulations, for texts. */
import CHECKS from './measured-checks.json' with { type: 'json' };
import SENSITIVITY from './measured-sensitivity.json' with { type: 'json' };
import { fixed, whole } from '../text/format.ts';
import { SIMULATED, heldText, simulatedIn } from './simulated.ts';

/** How often the 95% interval of yield contains the true value, from the worst case to the best, in percent. */
export function coverageRange(version: number) {
  const held = simulatedIn(version).coverage.flatMap((row) => row.held.yield);
  return {
    leastHeld: whole(100 * Math.min(...held)),
    mostHeld: whole(100 * Math.max(...held)),
    people: heldText(version, /^people/),
  };
}

/** @param version The version of the ranking rules. */
export function worstCases(version: number) {
  const moved = SENSITIVITY.ranks.flatMap(({ rows }) => {
    return rows.filter(({ error }) => error.includes('twice as much')).map((row) => row.moved);
  });
  const copies = CHECKS.dishonest.filter(({ accounts }) => accounts.includes('changed by 3%'));
  const { first } = simulatedIn(version);
  return {
    ...coverageRange(version),
    operators: SIMULATED.operators,
    leastFirst: whole(100 * Math.min(...first.map(({ bestFirst }) => bestFirst))),
    mostMoved: whole(Math.max(...moved)),
    simulatedOperators: SENSITIVITY.operators,
    leastHeldCopies: fixed(Math.min(...copies.map(({ held }) => held)), 1),
    seed: SIMULATED.seed,
  };
}
