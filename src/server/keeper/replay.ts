/** Lets nobody come back by a backup who was deleted since, and shows nobody more than they are shown since. */
import type { SeenAccount } from '#db/accounts-in.ts';
import type { Operator } from '#db/operators.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import { hideOperator } from '../commands/hide-operator.ts';
import type { Board } from '../context.ts';
import { eraseAccount } from '../erase-account.ts';
import type { LaterFacts } from '../later-facts.ts';
import { changeVisibility } from '../visibility.ts';

/** How many accounts were changed. */
export interface Replayed {
  /** Deleted again. */
  erased: number;
  /** Made less visible again: by a privacy mode, by opting out, or by the keeper. */
  hidden: number;
}

/** From who shows most to who shows least. */
const MODES: readonly PrivacyMode[] = ['identified', 'pseudonymous', 'anonymous', 'private'];

/** Does again, on a restored board, what others' facts say was done; only what they say for certain. */
export function replayFacts(board: Board, facts: readonly LaterFacts[]): Replayed {
  const { store } = board;
  const length = store.log.head()?.index ?? 0;
  const gone = new Set(facts.flatMap((each) => goneBy(board, each, length)));
  store.transaction(() => gone.forEach((id) => eraseAccount(board, id)));
  const seen = facts.flatMap((each) => [...(each.seen?.values() ?? [])]);
  return {
    erased: gone.size,
    hidden: seen.filter((account) => hideAsThere(board, account)).length,
  };
}

/** Accounts that are not there any more: their entries are erased, or their names are kept back for nobody. */
function goneBy({ store }: Board, facts: LaterFacts, length: number): number[] {
  const owners = facts.erased.map(([first]) => store.log.at(first)?.operator_id ?? null);
  const unlogged =
    facts.common === length && facts.seen !== null
      ? store.operators.all().filter(({ public_id, codename }) => {
          return !facts.seen?.has(public_id) && facts.wasDeleted(codename);
        })
      : [];
  return [...owners, ...unlogged.map(({ id }) => id)].filter((id) => id !== null);
}

/** Whether the account had to be made less visible. */
function hideAsThere(board: Board, there: SeenAccount): boolean {
  const { store } = board;
  const here = store.operators.byPublicId(there.public_id);
  if (!here) return false;
  const change = stricter(here, there);
  const isHidden = there.hidden_at !== null && here.hidden_at === null;
  if (Object.keys(change).length > 0) {
    store.transaction(() => changeVisibility(board, here.id, change));
  }
  if (isHidden) {
    const reason = there.hidden_reason ?? 'Hidden before a backup was restored';
    hideOperator(board, { kind: 'hide', name: here.codename, reason });
  }
  return isHidden || Object.keys(change).length > 0;
}

function stricter(here: Operator, there: SeenAccount) {
  const { privacy_mode } = there;
  const isStricter = MODES.indexOf(privacy_mode) > MODES.indexOf(here.privacy_mode);
  return {
    ...(isStricter ? { privacy_mode } : {}),
    ...(there.data_opt_out > here.data_opt_out ? { data_opt_out: there.data_opt_out } : {}),
  };
}
