import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import type { Store } from '#db/store.ts';
import type { BoardState } from '../state/board-state.ts';
import { namesAt, type ShownNames } from '../state/names.ts';
import { isInFigures } from '../state/operator-facts.ts';
import { PublishedOperators, showsOnly } from './published-operators.ts';

type Operators = Pick<BoardState, 'operators' | 'texts'>;

/** How an operator appears on the board, and in aggregates. */
type SeenOperator = ShownNames & { in_figures: boolean };

/** The names of all operators in the log who may be shown. */
export function seenNames(store: Pick<Store, 'operators'>): Map<number, SeenOperator> {
  const names = store.operators.seen().map(({ id, public_name, ...operator }) => {
    const seen = {
      codename: public_name,
      display_name: shownDisplayName(operator),
      cohort: shownCohort(operator),
      in_figures: operator.data_opt_out === 0,
    };
    return [id, seen] as const;
  });
  return new Map(names);
}

/** Whether a publication shows every operator as a newer state allows. */
export function showsOnlySeen(shown: Operators, now: Operators): boolean {
  const { ids, names, facts } = now.operators;
  const seen = new Map<number, SeenOperator>();
  ids.forEach((id, slot) => {
    const position = names[slot] as number;
    if (position === 0) return;
    seen.set(id, {
      ...namesAt(now.texts, position),
      in_figures: isInFigures(facts[slot] as number),
    });
  });
  return showsOnlyNames(shown, seen);
}

/** Whether a publication shows every operator as these names allow. */
export function showsOnlyNames(
  shown: Operators,
  names: ReadonlyMap<number, SeenOperator>,
): boolean {
  const people = new PublishedOperators(shown);
  return shown.operators.byName.every((slot) => {
    const now = names.get(shown.operators.ids[slot] as number);
    return now !== undefined && showsOnly(people.at(slot), now);
  });
}
