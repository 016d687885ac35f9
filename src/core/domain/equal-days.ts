/** Days of two accounts that hold the same numbers. */
import type { Pillars } from '../schema/usage.ts';
import { totalOf } from './bucket.ts';
import { significant } from './metrics.ts';
import type { Finding } from './finding.ts';

/**
 * How near each pillar must be, on how many days and on which share of all days that both accounts worked
 * with the same tool, and from how many tokens on a day is compared. Honest accounts agree on three days by
 * chance less often than once in millions of pairs; who copies and changes every number by more escapes.
 */
export const EQUAL_VECTORS = { tolerance: 0.01, days: 3, share: 0.5, day_tokens: 10_000 } as const;

/** The width of a cell on a logarithmic scale: wide enough that a number is seldom near two edges. */
const CELL = 0.05;
/** How far two numbers within the tolerance can be apart there. */
const REACH = -Math.log(1 - EQUAL_VECTORS.tolerance) + 1e-9;

const NAMES = ['input', 'output', 'cache_write', 'cache_read'] as const;

/** A day of an account with one tool, and since when it holds these numbers. */
export interface KnownDay extends Pillars {
  day: string;
  tool: string;
  /** The log entry that first stated them. */
  since: number;
}

/** Where a day's numbers are found: equal places are the same day and tool, equal vectors are near numbers there. */
export interface DayVector {
  place: number;
  vector: number;
}

/** The hashes of a day's numbers; null for a day that is too small to compare. */
export function dayVector({ day, tool, ...pillars }: Omit<KnownDay, 'since'>): DayVector | null {
  if (totalOf(pillars) < EQUAL_VECTORS.day_tokens) return null;
  const name = `${day}\n${tool}`;
  const cells = NAMES.map((pillar) => Math.floor(placeOnScale(pillars[pillar])));
  return { place: hash53(name), vector: hash53(`${name}\n${cells.join(' ')}`) };
}

/** The vectors that days with numbers within the tolerance of these can have. */
export function nearVectors({ day, tool, ...pillars }: Omit<KnownDay, 'since'>): number[] {
  let rows: number[][] = [[]];
  for (const pillar of NAMES) {
    const at = placeOnScale(pillars[pillar]);
    const reach = pillars[pillar] === null ? 0 : REACH / CELL;
    const cells = new Set([Math.floor(at - reach), Math.floor(at + reach)]);
    rows = rows.flatMap((row) => [...cells].map((cell) => [...row, cell]));
  }
  return rows.map((cells) => hash53(`${day}\n${tool}\n${cells.join(' ')}`));
}

function placeOnScale(count: number | null): number {
  return count === null ? -1 : Math.log(1 + count) / CELL;
}

/** Two accounts that state the same. */
export interface EqualDays {
  /** About the account that stated it later. */
  finding: Finding;
  /** The days, with their tools, that it has later. */
  copies: readonly Pick<KnownDay, 'day' | 'tool'>[];
  isFirstLater: boolean;
}

/**
 * What two accounts have in common; null if that is little.
 *
 * @param least So many days must be equal: fewer where one was held for it before.
 */
export function equalDays(
  first: readonly KnownDay[],
  second: readonly KnownDay[],
  least: number = EQUAL_VECTORS.days,
): EqualDays | null {
  const others = new Map(second.filter(isCompared).map((day) => [nameOf(day), day]));
  let compared = 0;
  const equal: { day: KnownDay; other: KnownDay }[] = [];
  for (const day of first.filter(isCompared)) {
    const other = others.get(nameOf(day));
    if (!other) continue;
    compared += 1;
    if (isNear(day, other)) equal.push({ day, other });
  }
  const share = equal.length / compared;
  const days = new Set(equal.map(({ day }) => day.day));
  if (days.size < least || share < EQUAL_VECTORS.share) return null;
  const later = equal.filter(({ day, other }) => day.since > other.since);
  const isFirstLater = 2 * later.length >= equal.length;
  const copies = equal.filter(({ day, other }) => day.since > other.since === isFirstLater);
  const finding: Finding = {
    check: 'equal_vectors',
    verdict: 'hold',
    statistic: significant(share),
    threshold: EQUAL_VECTORS.share,
    n: compared,
    tool: '',
    days: Object.fromEntries(copies.map(({ day }) => [day.day, totalOf(day)])),
  };
  return { finding, copies: copies.map(({ day }) => day), isFirstLater };
}

function isCompared(day: KnownDay): boolean {
  return totalOf(day) >= EQUAL_VECTORS.day_tokens;
}

function isNear(a: Pillars, b: Pillars): boolean {
  return NAMES.every((pillar) => {
    const [of, beside] = [a[pillar], b[pillar]];
    if (of === null || beside === null) return of === beside;
    return Math.abs(of - beside) <= EQUAL_VECTORS.tolerance * Math.max(of, beside);
  });
}

function nameOf({ day, tool }: KnownDay): string {
  return `${day}\n${tool}`;
}

/** A hash that is an exact integer: two of 32 bits, cut to 53. What has the same one is compared in full, so chance does no harm. */
function hash53(text: string): number {
  let [high, low] = [2_166_136_261, 0x5bd1e995];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 16_777_619);
    low = Math.imul(low + unit, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
