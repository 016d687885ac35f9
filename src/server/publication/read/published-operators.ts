import { indexIn } from '#core/domain/text/binary-search.ts';
import { ClassTier } from '#core/schema/board.ts';
import { positionsOf } from '../state/blocks.ts';
import type { BoardState } from '../state/board-state.ts';
import { namesAt, type SeenName, type ShownNames } from '../state/names.ts';
import { classIn, devicesIn, isInFigures, isMember } from '../state/operator-facts.ts';

/** A selection of operators: 1 at the slot of each. */
export type Among = Uint8Array;

/** The operators on a board; null for any class, and for any cohort or none. */
export interface Choice {
  class_tier: ClassTier | null;
  cohort: string | null;
}

/** An operator's names, class, and whether it is counted in medians and other aggregates. */
export interface PublishedOperator extends ShownNames {
  class_tier: ClassTier;
  in_figures: boolean;
}

/** All operators in a publication. */
export class PublishedOperators {
  /** The number of operators who are left out because their visibility changed. */
  readonly withheld: number;
  readonly #state: Pick<BoardState, 'operators' | 'texts'>;
  readonly #withheld: Among | null;

  constructor(state: Pick<BoardState, 'operators' | 'texts'>, withheld: Among | null = null) {
    this.#state = state;
    this.#withheld = withheld;
    this.withheld = withheld?.reduce((count, is) => count + is, 0) ?? 0;
  }

  /** Operators whose codename or display name contains a text, ignoring case. */
  named(text: string): Among {
    const { operators, texts } = this.#state;
    const among = new Uint8Array(operators.ids.length);
    for (const position of positionsOf(texts, text.toLowerCase())) {
      const shown = namesAt(texts, position);
      // Later names, and those that an operator gave up, are in the same memory.
      const isCurrent = operators.names[shown.slot] === position;
      if (isCurrent && isNamed(shown, text)) among[shown.slot] = this.#isMember(shown.slot) ? 1 : 0;
    }
    return among;
  }

  /** Operators of a class and a cohort, if given. */
  chosen({ class_tier, cohort }: Choice): Among {
    const { operators } = this.#state;
    const wanted = class_tier === null ? null : ClassTier.options.indexOf(class_tier);
    const among = new Uint8Array(operators.ids.length);
    for (const slot of operators.byName) {
      const isOfClass = wanted === null || this.classAt(slot) === wanted;
      among[slot] = isOfClass && (cohort === null || this.at(slot).cohort === cohort) ? 1 : 0;
    }
    return among;
  }

  /** Whether an operator is left out of every response. Its place stays empty. */
  isWithheld(slot: number): boolean {
    return this.#withheld?.[slot] === 1;
  }

  /** Marks operators that are withheld here, or that a newer publication shows differently or not at all. */
  withheldSince(newer: PublishedOperators): Among {
    const { ids, byName } = this.#state.operators;
    const slots = newer.#slotsById();
    const among = new Uint8Array(ids.length);
    for (const slot of byName) {
      const now = slots.get(ids[slot] as number);
      const isSame = now !== undefined && showsOnly(this.at(slot), newer.at(now));
      among[slot] = isSame && !this.isWithheld(slot) ? 0 : 1;
    }
    return among;
  }

  /** All names, sorted, also those of withheld operators. */
  codenames(): string[] {
    return Array.from(this.#state.operators.byName, (slot) => this.codenameAt(slot));
  }

  codenameAt(slot: number): string {
    return this.#namesAt(slot).codename;
  }

  at(slot: number): PublishedOperator {
    const { codename, display_name, cohort } = this.#namesAt(slot);
    return {
      codename,
      display_name,
      class_tier: ClassTier.options[this.classAt(slot)] ?? 'unclassed',
      cohort,
      in_figures: this.isInFigures(slot),
    };
  }

  /** The class of the operator with this name. Withheld operators have none, because a class reveals a rank. */
  classOf(codename: string | null): ClassTier {
    const slot = codename === null ? null : this.positionOf(codename);
    return slot === null ? 'unclassed' : this.at(slot).class_tier;
  }

  /** The index of an operator's class in `ClassTier`. */
  classAt(slot: number): number {
    return classIn(this.#factsAt(slot));
  }

  /** Whether an operator is counted in medians and other aggregates. */
  isInFigures(slot: number): boolean {
    return isInFigures(this.#factsAt(slot)) && !this.isWithheld(slot);
  }

  get length(): number {
    return this.#state.operators.byName.length;
  }

  /** How many active devices an operator has. */
  devicesAt(slot: number): number {
    return devicesIn(this.#factsAt(slot));
  }

  /** The slot of an operator; null if no operator has this name. */
  positionOf(codename: string): number | null {
    const { byName } = this.#state.operators;
    const place = indexIn(byName.length, codename, (at) => this.codenameAt(byName[at] as number));
    const slot = place === null ? null : (byName[place] as number);
    return slot === null || this.isWithheld(slot) ? null : slot;
  }

  #slotsById(): Map<number, number> {
    const { ids, byName } = this.#state.operators;
    return new Map(Array.from(byName, (slot) => [ids[slot] as number, slot]));
  }

  #namesAt(slot: number): ShownNames {
    const { operators, texts } = this.#state;
    return namesAt(texts, operators.names[slot] as number);
  }

  #factsAt(slot: number): number {
    return this.#state.operators.facts[slot] as number;
  }

  #isMember(slot: number): boolean {
    return isMember(this.#factsAt(slot));
  }
}

/** Whether a name contains a text, ignoring case. */
export function isNamed({ codename, display_name }: SeenName, text: string): boolean {
  const wanted = text.toLowerCase();
  return codename.includes(wanted) || (display_name?.toLowerCase().includes(wanted) ?? false);
}

/** Whether a publication's data about an operator may still be shown. */
export function showsOnly(
  shown: Omit<PublishedOperator, 'class_tier'>,
  now: Omit<PublishedOperator, 'class_tier'>,
): boolean {
  const isNamedSo = shown.display_name === null || shown.display_name === now.display_name;
  const isInCohort = shown.cohort === null || shown.cohort === now.cohort;
  const isCounted = !shown.in_figures || now.in_figures;
  return shown.codename === now.codename && isNamedSo && isInCohort && isCounted;
}
