/** How often the plausibility checks found simulated accounts. */
import { CheckId } from '#core/schema/moderation.ts';
import MEASURED from './measured-checks.json' with { type: 'json' };
import { capitalised, fixed, whole } from '../text/format.ts';

type Shares = Readonly<Partial<Record<CheckId, number>>>;

interface Measured {
  accounts: string;
  n: number;
  /** The percentage of accounts with days on hold, and of those with only notes. */
  held: number;
  only_noted: number;
  /** The percentage for each check that found any. */
  held_by: Shares;
  noted_by: Shares;
}

const honest: Measured = MEASURED.honest;
const stepped: readonly Measured[] = MEASURED.stepped;
const dishonest: readonly Measured[] = MEASURED.dishonest;

/** Checks that find fewer accounts than this, in percent, are not named. */
const NAMED = 5;

/** Honest accounts: number, on hold, only notes. */
export const HONEST_ROWS = [honest, ...stepped].map(({ accounts, n, held, only_noted }) => {
  return [capitalised(accounts), whole(n), percent(held), percent(only_noted)];
});

/** Each kind of cheating, the least found first. */
export const CHEATING = dishonest
  .toSorted((a, b) => a.held - b.held || a.only_noted - b.only_noted)
  .map(({ accounts, held, only_noted, held_by, noted_by }) => ({
    name: capitalised(accounts),
    held: percent(held),
    noted: percent(only_noted),
    checks: [...checkTexts(held_by), ...checkTexts(noted_by, ' noted')].join(', '),
  }));

/** How often a check is wrong, and which cheating it finds most often. */
export function checkResult(check: CheckId): string {
  const [held, noted] = [honest.held_by, honest.noted_by].map((shares) => shares[check] ?? 0);
  const verdict = dishonest.some(({ held_by }) => held_by[check]) ? 'held_by' : 'noted_by';
  const share = (of: Measured) => of[verdict][check] ?? 0;
  const most = dishonest.reduce((a, b) => (share(b) > share(a) ? b : a));
  const wrong = `Of honest accounts, ${percent(held)}% on hold and ${percent(noted)}% noted.`;
  if (share(most) < NAMED) return `${wrong} It found hardly any of the kinds of cheating below.`;
  const word = verdict === 'held_by' ? 'on hold' : 'noted';
  return `${wrong} Found most often: ${most.accounts}, ${percent(share(most))}% ${word}.`;
}

function checkTexts(shares: Shares, word = ''): string[] {
  return CheckId.options
    .filter((check) => (shares[check] ?? 0) >= NAMED)
    .sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
    .map((check) => `${check} ${percent(shares[check])}%${word}`);
}

function percent(share = 0): string {
  return fixed(share, share < 1 ? 2 : 1);
}
