/**
 * Finds the peers of an operator: mentors (similar operators one or two classes above), operators of the same
 * class, and operators who are strong in the operator's weaker metric. Each has a reason with its numbers.
 *
 * @module
 */
import type {
  Complement,
  Mentor,
  MetricPlace,
  PeerGroups,
  PillarDeltas,
  TierPeer,
  Weakness,
  YieldPillar,
  ZeroShare,
} from '#core/schema/peer.ts';
import { SHOWN_TOOLS } from '#core/schema/shown.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { percentileOf } from '../board/board.ts';
import { totalOf } from '../counting/bucket.ts';
import { CLASS_TIERS } from '../metrics/class-tier.ts';
import { exactMetric, plainMetric, significant } from '../metrics/metrics.ts';
import {
  aitchisonDistance,
  outputPerRead,
  type PeerCandidate,
  type PeerField,
  type Side,
} from './peer-field.ts';

/** How many classes above the operator a mentor may be. */
const CLASSES_ABOVE = 2;

/** How similar another's tools are: the same main tool, any shared tool, none. */
const TOOL_LEVELS = [0, 1, 2] as const;

type Because = NonNullable<PeerGroups[keyof PeerGroups]['empty_because']>;

const NOBODY_TEXTS: Readonly<Record<Because, string>> = {
  not_ranked: 'Not ranked by yield over 90 days.',
  highest_class: 'There is no higher class.',
  nobody_above: 'No operator with a page is one or two classes above.',
  nobody_in_class: 'No other operator with a page is in the same class.',
  velocity_not_ranked: 'Not ranked by velocity, so the weaker metric is unknown.',
  nobody_stronger: 'No operator with a page is stronger in the weaker metric.',
};

/** Why a group is empty. */
export function nobody<Code extends Because>(code: Code) {
  return { empty_because: code, detail: NOBODY_TEXTS[code] };
}

/** The corresponding members of a group with entries. */
export const SOMEBODY = { empty_because: null, detail: null } as const;

/** The groups of an operator who is not ranked. */
export const NO_PEERS: PeerGroups = {
  mentors: { ...nobody('not_ranked'), entries: [] },
  same_tier: { ...nobody('not_ranked'), entries: [] },
  complementary: { ...nobody('not_ranked'), weakness: null, entries: [] },
};

/**
 * The peers of one candidate, at most `limit` per group. Equal distances are ordered by codename.
 *
 * @param caller The candidate's index.
 */
export function findPeers(field: PeerField, caller: number, limit: number): PeerGroups {
  return {
    mentors: mentorsOf(field, caller, limit),
    same_tier: tierPeersOf(field, caller, limit),
    complementary: complementsOf(field, caller, limit),
  };
}

function mentorsOf(field: PeerField, caller: number, limit: number): PeerGroups['mentors'] {
  const { counts, tiers } = field;
  const own = field.candidate(caller);
  const tier = tiers[caller] as number;
  if (tier === CLASS_TIERS.length - 1) return { ...nobody('highest_class'), entries: [] };
  const ofCaller = outputPerRead(counts, caller);
  const levels = field.toolLists.map((tools) => toolLevel(own.tools, tools));
  const chosen = TOOL_LEVELS.flatMap((level) =>
    nearest(field.size, limit, (at) => {
      const above = (tiers[at] as number) - tier;
      const isMeant = isPeer(field, at, caller) && above >= 1 && above <= CLASSES_ABOVE;
      if (!isMeant || levels[field.toolsOf[at] as number] !== level) return Number.NaN;
      const apart = Math.abs(outputPerRead(counts, at) - ofCaller);
      return Number.isFinite(apart) ? apart : Number.POSITIVE_INFINITY;
    }),
  );
  const entries = chosen.slice(0, limit).map(({ at, score }): Mentor => {
    const peer = field.candidate(at);
    return {
      ...sharedPart(own, peer),
      because: 'classes_above',
      classes_above: (tiers[at] as number) - tier,
      same_main_tool: toolLevel(own.tools, peer.tools) === 0,
      shared_tools: own.tools.filter((tool) => peer.tools.includes(tool)).slice(0, SHOWN_TOOLS),
      distance: Number.isFinite(score) ? score : null,
    };
  });
  return { ...(entries.length > 0 ? SOMEBODY : nobody('nobody_above')), entries };
}

function tierPeersOf(field: PeerField, caller: number, limit: number): PeerGroups['same_tier'] {
  const { ratios, tiers } = field;
  const own = field.candidate(caller);
  const chosen = nearest(field.size, limit, (at) => {
    const isMeant = isPeer(field, at, caller) && tiers[at] === tiers[caller];
    if (!isMeant) return Number.NaN;
    return aitchisonDistance(ratios, at, caller);
  });
  const entries = chosen.map(({ at, score }): TierPeer => {
    return { ...sharedPart(own, field.candidate(at)), because: 'similar_shape', distance: score };
  });
  return { ...(entries.length > 0 ? SOMEBODY : nobody('nobody_in_class')), entries };
}

function complementsOf(
  field: PeerField,
  caller: number,
  limit: number,
): PeerGroups['complementary'] {
  const own = field.candidate(caller);
  const weakness = weaknessOf(field, own);
  if (!weakness) return { ...nobody('velocity_not_ranked'), weakness, entries: [] };
  const lows = field.conservative[weakness.metric];
  const chosen = nearest(field.size, limit, (at) => {
    const isMeant = isPeer(field, at, caller) && (lows[at] as number) > (lows[caller] as number);
    return isMeant ? -(lows[at] as number) : Number.NaN;
  });
  const entries = chosen.map(({ at }): Complement => {
    const conservative = lows[at] as number;
    return {
      ...sharedPart(own, field.candidate(at)),
      because: 'stronger_where_weak',
      conservative,
    };
  });
  return { ...(entries.length > 0 ? SOMEBODY : nobody('nobody_stronger')), weakness, entries };
}

/** Null if the operator is ranked by yield, and so by leverage, but not by velocity. */
function weaknessOf({ ranked }: PeerField, { conservative }: PeerCandidate): Weakness | null {
  if (Number.isNaN(conservative.velocity)) return null;
  const placeOf = (side: Side) => placeAmong(ranked[side], conservative[side]);
  const leverage = placeOf('leverage');
  const velocity = placeOf('velocity');
  const metric = leverage.below <= velocity.below ? 'leverage' : 'velocity';
  return { metric, leverage: leverage.place, velocity: velocity.place };
}

/** @param lows Best first. Equal values share a rank. */
function placeAmong(lows: Float64Array, low: number): { below: number; place: MetricPlace } {
  const total = lows.length;
  const first = lows.indexOf(low);
  const below = total - 1 - lows.lastIndexOf(low);
  const percentile = percentileOf(lows, first);
  return { below: below / total, place: { conservative: low, rank: first + 1, total, percentile } };
}

/** Only operators with a public page are shown to others. */
function isPeer({ isOpen }: PeerField, at: number, caller: number): boolean {
  return at !== caller && isOpen[at] === 1;
}

function toolLevel(own: readonly string[], others: readonly string[]): number {
  if (own[0] === others[0]) return 0;
  return own.some((tool) => others.includes(tool)) ? 1 : 2;
}

/** The members that entries of all groups have. */
function sharedPart(own: PeerCandidate, peer: PeerCandidate) {
  const { codename, display_name, class_tier, rank, counts, tools } = peer;
  return {
    codename,
    display_name,
    class_tier,
    rank,
    yield: exactMetric('yield', counts) ?? 0,
    tools: tools.slice(0, SHOWN_TOOLS),
    ...pillarDeltas(own.counts, counts),
  };
}

/** A candidate, by its index, and its score. */
interface Scored {
  at: number;
  score: number;
}

/** More than rounding to 12 significant digits can change a score. */
const ROUNDING = 1e-9;

/**
 * The candidates with the lowest scores, in one pass. Scores are compared to 12 significant digits. Candidates with
 * equal scores keep their order.
 *
 * @param count The number of candidates.
 * @param scoreOf NaN excludes a candidate; infinity puts it last.
 */
export function nearest(count: number, limit: number, scoreOf: (at: number) => number): Scored[] {
  const found: Scored[] = [];
  for (let at = 0; at < count; at += 1) {
    const raw = scoreOf(at);
    const last = found.length < limit ? null : (found.at(-1) as Scored).score;
    if (Number.isNaN(raw) || (last !== null && raw > last + ROUNDING * Math.abs(last))) continue;
    const score = Number.isFinite(raw) ? significant(raw) : raw;
    const place = found.findLastIndex((known) => known.score <= score) + 1;
    if (place < limit) found.splice(place, 0, { at, score });
    if (found.length > limit) found.pop();
  }
  return found;
}

/** The exponent of each pillar in yield = r x o / i^2. */
const POWERS: Readonly<Record<YieldPillar, number>> = { cache_read: 1, output: 1, input: -2 };
const PILLARS = Object.keys(POWERS) as YieldPillar[];

/** More precise than 12 significant digits, so that three of them add up within 1e-12. */
const DECIMALS = 13;

/**
 * ln(yield of the peer / yield of the caller) as a sum over the pillars' shares, or the zero share that makes it
 * undefined.
 *
 * @param caller The sums over the buckets that report cache reads. The same for the peer.
 */
export function pillarDeltas(
  caller: Pillars,
  peer: Pillars,
): { deltas: PillarDeltas; zero_share: null } | { deltas: null; zero_share: ZeroShare } {
  const zero = PILLARS.find((pillar) => !caller[pillar] || !peer[pillar]);
  if (zero !== undefined) {
    const whose = caller[zero] ? 'peer' : peer[zero] ? 'caller' : 'both';
    return { deltas: null, zero_share: { whose, pillar: zero } };
  }
  const ofTotals = totalOf(caller) / totalOf(peer);
  const deltaOf = (pillar: YieldPillar) => {
    const ofPillars = (peer[pillar] as number) / (caller[pillar] as number);
    return rounded(POWERS[pillar] * Math.log(ofPillars * ofTotals));
  };
  const deltas = {
    cache_read: deltaOf('cache_read'),
    output: deltaOf('output'),
    input: deltaOf('input'),
    total: rounded(Math.log(plainMetric('yield', peer) / plainMetric('yield', caller))),
  };
  return { deltas, zero_share: null };
}

/** Adding 0 turns negative zero into zero. */
function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS)) + 0;
}
