/** Facts about an operator in 32 bits: the class, whether it is counted, and its active devices. */
import { ClassTier } from '#core/schema/board.ts';

const CLASS_BITS = 0b1111;
const IN_FIGURES = 1 << 4;
const SELF_REPORTED = 1 << 5;
/** Whether the operator is on the board: public, with tokens. */
const MEMBER = 1 << 6;
const DEVICES_AT = 7;
const MAX_DEVICES = 2 ** (32 - DEVICES_AT) - 1;

interface OperatorFacts {
  class_tier: ClassTier;
  /** Whether the operator is counted in medians and other aggregates. */
  in_figures: boolean;
  isSelfReported: boolean;
  isMember: boolean;
  devices: number;
}

export function packFacts(of: OperatorFacts): number {
  const { class_tier, devices } = of;
  const shown = (of.in_figures ? IN_FIGURES : 0) + (of.isMember ? MEMBER : 0);
  const flags = shown + (of.isSelfReported ? SELF_REPORTED : 0);
  const count = Math.min(devices, MAX_DEVICES) * 2 ** DEVICES_AT;
  return ClassTier.options.indexOf(class_tier) + flags + count;
}

/** The index of the class in `ClassTier`. */
export const classIn = (facts: number): number => facts & CLASS_BITS;
export const isInFigures = (facts: number): boolean => (facts & IN_FIGURES) !== 0;
export const isSelfReported = (facts: number): boolean => (facts & SELF_REPORTED) !== 0;
/** The facts that every board shows. Self-reports matter only to boards that count them. */
export const shownFacts = (facts: number): number => facts & ~SELF_REPORTED;
export const isMember = (facts: number): boolean => (facts & MEMBER) !== 0;
export const devicesIn = (facts: number): number => facts >>> DEVICES_AT;
