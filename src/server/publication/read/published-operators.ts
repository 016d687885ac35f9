import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import { ClassTier } from '#core/schema/board.ts';
import type { Store } from '#db/store.ts';
import type { OperatorColumns } from './columns.ts';

/** A selection of operators: 1 at the position of each. */
export type Among = Uint8Array;

/** The operators on a board; null for any class, and for any cohort or none. */
export interface Choice {
  class_tier: ClassTier | null;
  cohort: string | null;
}

interface PublishedOperator {
  codename: string;
  display_name: string | null;
  class_tier: ClassTier;
  cohort: string | null;
  in_figures: boolean;
}

/** All operators in a publication, in the order of their names. */
export class PublishedOperators {
  /** The number of operators who are left out because their visibility changed. */
  readonly withheld: number;
  readonly #codenames: readonly string[];
  readonly #displayNames: readonly string[];
  readonly #cohorts: readonly string[];
  readonly #columns: OperatorColumns;
  readonly #withheld: Among | null;

  constructor(columns: OperatorColumns, withheld: Among | null = null) {
    this.#columns = columns;
    this.#withheld = withheld;
    this.withheld = withheld?.reduce((count, is) => count + is, 0) ?? 0;
    this.#codenames = columns.codenames === '' ? [] : columns.codenames.split('\n');
    this.#displayNames = columns.display_names.split('\n');
    this.#cohorts = columns.cohorts.split('\n');
  }

  /** Operators whose codename or display name contains a text, ignoring case. */
  named(text: string): Among {
    return Uint8Array.from(this.#codenames, (codename, position) => {
      return isNamed({ codename, display_name: this.at(position).display_name }, text) ? 1 : 0;
    });
  }

  /** Operators of a class and a cohort, if given. */
  chosen({ class_tier, cohort }: Choice): Among {
    const wanted = class_tier === null ? null : ClassTier.options.indexOf(class_tier);
    return Uint8Array.from(this.#codenames, (_, position) => {
      const isOfClass = wanted === null || this.classAt(position) === wanted;
      return isOfClass && (cohort === null || this.#cohorts[position] === cohort) ? 1 : 0;
    });
  }

  /** Whether an operator is left out of every response. Its position stays empty. */
  isWithheld(position: number): boolean {
    return this.#withheld?.[position] === 1;
  }

  /** Marks operators that are withheld here, or that a newer publication shows differently or not at all. */
  withheldSince(newer: PublishedOperators): Among {
    const { ids } = newer.#columns;
    const positions = new Map(Array.from(ids, (id, position) => [id, position]));
    return Uint8Array.from(this.#columns.ids, (id, position) => {
      const now = positions.get(id);
      const isSame = now !== undefined && showsOnly(this.at(position), newer.at(now));
      return isSame && !this.isWithheld(position) ? 0 : 1;
    });
  }

  codenameAt(position: number): string {
    return this.#codenames[position] as string;
  }

  at(position: number): PublishedOperator {
    return {
      codename: this.codenameAt(position),
      display_name: this.#displayNames[position] || null,
      class_tier: ClassTier.options[this.classAt(position)] ?? 'unclassed',
      cohort: this.#cohorts[position] || null,
      in_figures: this.isInFigures(position),
    };
  }

  /** The class of the operator with this name. Withheld operators have none, because a class reveals a rank. */
  classOf(codename: string | null): ClassTier {
    const position = codename === null ? null : this.positionOf(codename);
    return position === null ? 'unclassed' : this.at(position).class_tier;
  }

  /** The index of an operator's class in `ClassTier`. */
  classAt(position: number): number {
    return this.#columns.classes[position] as number;
  }

  /** Whether an operator is counted in medians and other aggregates. */
  isInFigures(position: number): boolean {
    return this.#columns.in_figures[position] === 1 && !this.isWithheld(position);
  }

  get length(): number {
    return this.#codenames.length;
  }

  /** How many active devices an operator has. */
  devicesAt(position: number): number {
    return this.#columns.devices[position] as number;
  }

  /** Binary search; null if no operator has this name. */
  positionOf(codename: string): number | null {
    const position = indexIn(this.#codenames.length, codename, (at) => this.codenameAt(at));
    return position === null || this.isWithheld(position) ? null : position;
  }
}

/** Whether a name contains a text, ignoring case. */
export function isNamed(
  { codename, display_name }: { codename: string; display_name: string | null },
  text: string,
): boolean {
  const wanted = text.toLowerCase();
  return codename.includes(wanted) || (display_name?.toLowerCase().includes(wanted) ?? false);
}

export function indexIn<Key extends number | string>(
  length: number,
  key: Key,
  keyAt: (index: number) => Key,
): number | null {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keyAt(middle);
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

/** An operator's public names. */
export interface SeenName {
  codename: string;
  display_name: string | null;
}

/** How an operator appears on the board, and in aggregates. */
export interface SeenOperator extends SeenName {
  /** Null if it is not shown. */
  cohort: string | null;
  /** Whether the operator is counted in medians and other aggregates. */
  in_figures: boolean;
}

/**
 * The names of all operators on the board. Read for each publication, because changes of names and visibility do not
 * change usage.
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

/** Whether a publication shows every operator as their visibility now allows. */
export function showsOnlySeen(columns: OperatorColumns, names: ReadonlyMap<number, SeenOperator>) {
  const operators = new PublishedOperators(columns);
  return columns.ids.every((id, position) => {
    const now = names.get(id);
    return now !== undefined && showsOnly(operators.at(position), now);
  });
}

/** Whether a publication's data about an operator may still be shown. */
function showsOnly(shown: SeenOperator, now: SeenOperator): boolean {
  const isNamed = shown.display_name === null || shown.display_name === now.display_name;
  const isInCohort = shown.cohort === null || shown.cohort === now.cohort;
  const isCounted = !shown.in_figures || now.in_figures;
  return shown.codename === now.codename && isNamed && isInCohort && isCounted;
}
