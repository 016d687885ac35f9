/** What a state has of one operator. */
import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import { ClassTier } from '#core/schema/board.ts';
import type { ProjectedRow } from '#db/operator-changes.ts';
import { namesText } from '../state/names.ts';
import { classIn, isSelfReported, packFacts } from '../state/operator-facts.ts';
import type { ProjectedOperator } from './project-operator.ts';

/** The text of an operator's names; null if nobody may see them. */
export function shownText(slot: number, row: ProjectedRow): string | null {
  if (row.public_name === null) return null;
  return namesText(slot, {
    codename: row.public_name,
    display_name: shownDisplayName(row),
    cohort: shownCohort(row),
  });
}

/** @param isShown Whether anybody may see the operator's names. */
export function factsOf(row: ProjectedRow, projected: ProjectedOperator, isShown: boolean): number {
  return packFacts({
    class_tier: projected.class_tier,
    in_figures: row.data_opt_out === 0,
    isSelfReported: projected.isSelfReported,
    isMember: isShown && projected.sheet !== 0,
    devices: row.devices,
  });
}

/** What was projected when these facts were packed. */
export function projectedFrom(sheet: number, facts: number): ProjectedOperator {
  const class_tier = ClassTier.options[classIn(facts)] ?? 'unclassed';
  return { sheet, class_tier, isSelfReported: isSelfReported(facts) };
}
