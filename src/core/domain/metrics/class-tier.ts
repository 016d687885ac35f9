/** Classes: decades of the conservative yield in 90 days, each ten times the one below. */
import type { ClassTier, WindowName } from '#core/schema/board.ts';
import { CLASS_NAMES } from '#core/schema/names.ts';

/** The window for classes and peers, in the slice of the default board. */
export const CLASS_WINDOW = '90d' satisfies WindowName;

/** All classes except `unclassed`, lowest first. */
export const CLASS_TIERS = CLASS_NAMES.filter((name) => name !== 'unclassed');

/** The exponent of the power of ten at which the second class begins. */
const SECOND_BEGINS = -1;

/** Where each class begins, inclusive: Rill at 0, Brook at 0.1, up to Ocean at 10^7. */
export const CLASS_BEGINS: readonly number[] = CLASS_TIERS.map((_, index) =>
  index === 0 ? 0 : Number(`1e${index - 1 + SECOND_BEGINS}`),
);

/**
 * The class of a conservative yield.
 *
 * @param conservative Over 90 days, all tools and signed counts; null if the operator is not ranked there.
 */
export function classTierOf(conservative: number | null): ClassTier {
  if (conservative === null) return 'unclassed';
  return CLASS_TIERS[CLASS_BEGINS.findLastIndex((begin) => conservative >= begin)] ?? 'unclassed';
}

/** The place of a class among all, from 0 for the lowest; -1 without a class. */
export function classLevel(tier: ClassTier | undefined): number {
  return CLASS_TIERS.findIndex((one) => one === tier);
}

/** The next higher class; null for the highest class and for `unclassed`. */
export function classAbove(tier: ClassTier): ClassTier | null {
  return tier === 'unclassed' ? null : (CLASS_TIERS[CLASS_TIERS.indexOf(tier) + 1] ?? null);
}
