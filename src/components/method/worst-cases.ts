/** The worst results of the simulations, for texts. */
import CHECKS from './measured-checks.json' with { type: 'json' };
import SENSITIVITY from './measured-sensitivity.json' with { type: 'json' };
import { fixed, whole } from '../text/format.ts';
import { SIMULATED, heldText, simulatedIn } from './simulated.ts';

/** @param version The version of the ranking rules. */
export function worstCases(version: number) {
  const moved = SENSITIVITY.ranks.flatMap(({ rows }) => {
    return rows.filter(({ error }) => error.includes('twice as much')).map((row) => row.moved);
  });
  const copies = CHECKS.dishonest.filter(({ accounts }) => accounts.includes('changed by 3%'));
  const { coverage, first } = simulatedIn(version);
  return {
    held: heldText(version),
    people: heldText(version, /^people/),
    leastHeld: whole(100 * Math.min(...coverage.flatMap(({ held }) => held.yield))),
    operators: SIMULATED.operators,
    leastFirst: whole(100 * Math.min(...first.map(({ bestFirst }) => bestFirst))),
    mostMoved: whole(Math.max(...moved)),
    simulatedOperators: SENSITIVITY.operators,
    leastHeldCopies: fixed(Math.min(...copies.map(({ held }) => held)), 1),
    seed: SIMULATED.seed,
  };
}
