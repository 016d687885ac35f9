/** What the public calls operators now, and whether a publication still shows them so. */
import type { Store } from '#db/store.ts';
import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import type { OperatorColumns } from './columns.ts';
import { PublishedOperators, showsOnly } from './published-operators.ts';

/** An operator's names, as far as everybody may see them. */
export interface SeenName {
  codename: string;
  display_name: string | null;
}

/** How an operator stands on the board, and in figures of many. */
export interface SeenOperator extends SeenName {
  /** Null where it is not shown. */
  cohort: string | null;
  /** Whether medians and the like count the operator. */
  in_figures: boolean;
}

/**
 * The names of all whom the public may see, by operator. They are read anew for each publication, because
 * a switch or another name changes no usage.
 */
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

/** Whether a publication shows nobody otherwise than everybody may see them now. */
export function showsOnlySeen(
  columns: OperatorColumns,
  names: ReadonlyMap<number, SeenOperator>,
): boolean {
  const operators = new PublishedOperators(columns);
  return columns.ids.every((id, position) => {
    const now = names.get(id);
    return now !== undefined && showsOnly(operators.at(position), now);
  });
}
