/** The ranking rules: the numbers that decide who is ranked. */
import type { IntervalMethod } from '../metrics/interval.ts';
import type { WindowName } from '#core/schema/board.ts';
import { WINDOW_NAMES } from '#core/schema/names.ts';

export interface Ruleset {
  id: string;
  /** How the intervals are computed. Absent in rulesets of boards before 0.4, which ranked by value. */
  interval?: string | undefined;
  /** The fewest tokens of an active day. */
  active_day_tokens: number;
  /** The fewest active days. */
  active_days: Record<WindowName, number>;
  /** The fewest effective days, (sum T)^2 / sum T^2 over the days' totals T. */
  effective_days: Record<WindowName, number>;
  total_tokens: number;
  output_tokens: number;
  /** The smallest share of the output tokens in buckets that report what the metric needs. */
  coverage: number;
  /** The smallest share of {@link statedShare | stated days}. Absent if the rules require none. */
  stated_days?: number | undefined;
}

/** The part of a ruleset that an admin can set. */
export type RulesetNumbers = Omit<Ruleset, 'id' | 'interval'>;

/** The requirements for a rank in one window. */
export interface Eligibility {
  active_days: number;
  effective_days: number;
  total_tokens: number;
  output_tokens: number;
  coverage: number;
  /** 0 or absent if none are required. */
  stated_days?: number | undefined;
}

/** The numbers of rulesets 1 and 2. */
export const RULESET_NUMBERS: RulesetNumbers = {
  active_day_tokens: 10_000,
  active_days: { '7d': 3, '30d': 7, '90d': 14, all_time: 14 },
  effective_days: { '7d': 2, '30d': 3, '90d': 5, all_time: 5 },
  total_tokens: 1_000_000,
  output_tokens: 50_000,
  coverage: 0.9,
};

/** Ranks by the lower bound of intervals that leave out each day in turn. */
export const RULESET: Ruleset = { id: '1', interval: 'jackknife-95', ...RULESET_NUMBERS };

/** Ranks by the conservative value of intervals by weeks. */
export const RULESET_2: Ruleset = { ...RULESET, id: '2', interval: 'week-95' };

/** The versions of the ranking rules. */
export const RULESET_VERSIONS = [1, 2] as const;
export type RulesetVersion = (typeof RULESET_VERSIONS)[number];
export const NEWEST_VERSION = 2 satisfies RulesetVersion;
const WITH_VERSION: Readonly<Record<RulesetVersion, Ruleset>> = { 1: RULESET, 2: RULESET_2 };
/** The ruleset with which new boards start. */
export const NEWEST_RULESET = WITH_VERSION[NEWEST_VERSION];

/** The version of the ranking rules with an ID. Rulesets with other numbers have the same version. */
export function versionOfRuleset(id: string): number {
  return Number.parseInt(id);
}

/** The ruleset with the version of an ID and the usual numbers; the newest for a version that is unknown. */
export function usualRuleset(id: string): Ruleset {
  const version = RULESET_VERSIONS.find((each) => each === versionOfRuleset(id));
  return WITH_VERSION[version ?? NEWEST_VERSION];
}

/** How intervals are computed in a version of the ranking rules. */
export function intervalIn(version: number): IntervalMethod {
  return version === 2 ? 'week-95' : 'jackknife-95';
}

/** How the intervals of a ruleset are computed. Challenges and stored days name their rules by ID. */
export function intervalOfRuleset(id: string): IntervalMethod {
  return intervalIn(versionOfRuleset(id));
}

/**
 * The ruleset of a version, with an admin's numbers. If they are not the usual ones, its ID is followed by `-` and the
 * first 8 hex digits of the SHA-256 of the numbers as canonical JSON. A share of 0 stated days is left out, as in rulesets that
 * are older than the number.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8785 | RFC 8785, JSON Canonicalization Scheme}
 */
export function rulesetOf(
  version: RulesetVersion,
  { stated_days, ...others }: RulesetNumbers,
  sha256Hex: (text: string) => string,
): Ruleset {
  const base = WITH_VERSION[version];
  const numbers = { ...others, ...(stated_days && { stated_days }) };
  const text = canonicalJson(numbers);
  if (text === canonicalJson(RULESET_NUMBERS)) return base;
  return { ...base, id: `${base.id}-${sha256Hex(text).slice(0, 8)}`, ...numbers };
}

/** Canonical JSON of numbers and nested objects, by RFC 8785: members sorted, numbers as in ECMAScript. */
function canonicalJson(numbers: object): string {
  return JSON.stringify(numbers, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The same rules without the requirement that does not follow from daily counts alone. */
export function withoutStatedDays({ stated_days: _, ...ruleset }: Ruleset): Ruleset {
  return ruleset;
}

const known = new WeakMap<Ruleset, Record<WindowName, Eligibility>>();

/** The requirements of a ruleset in a window. Returns the same object for the same ruleset and window. */
export function eligibilityIn(ruleset: Ruleset, window: WindowName): Eligibility {
  let ofWindows = known.get(ruleset);
  if (!ofWindows) known.set(ruleset, (ofWindows = eligibilities(ruleset)));
  return ofWindows[window];
}

function eligibilities(ruleset: Ruleset): Record<WindowName, Eligibility> {
  const { total_tokens, output_tokens, coverage, stated_days } = ruleset;
  const ofWindows = WINDOW_NAMES.map((window) => [
    window,
    {
      active_days: ruleset.active_days[window],
      effective_days: ruleset.effective_days[window],
      total_tokens,
      output_tokens,
      coverage,
      ...(stated_days && { stated_days }),
    },
  ]);
  return Object.fromEntries(ofWindows) as Record<WindowName, Eligibility>;
}
