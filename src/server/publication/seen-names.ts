/** What the public calls operators now, and whether a publication still shows them so. */
import type { Store } from '#db/store.ts';
import { shownDisplayName } from '#core/domain/visibility.ts';
import type { OperatorColumns } from './columns.ts';
import { PublishedOperators } from './published-operators.ts';

/** An operator's names, as far as everybody may see them. */
export interface SeenName {
  codename: string;
  display_name: string | null;
}

/**
 * The names of all whom the public may see, by operator. They are read anew for each publication, because
 * a switch or another name changes no usage.
 */
export function seenNames(store: Store): Map<number, SeenName> {
  const names = store.operators.seen().map(({ id, public_name, ...operator }) => {
    return [id, { codename: public_name, display_name: shownDisplayName(operator) }] as const;
  });
  return new Map(names);
}

/** Whether a publication shows nobody otherwise than everybody may see them now. */
export function showsOnlySeen(
  columns: OperatorColumns,
  names: ReadonlyMap<number, SeenName>,
): boolean {
  const operators = new PublishedOperators(columns);
  return columns.ids.every((id, position) => {
    const shown = operators.displayNameAt(position);
    const now = names.get(id);
    const isSame = now?.codename === operators.codenameAt(position);
    return isSame && (shown === null || shown === now.display_name);
  });
}
