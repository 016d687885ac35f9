/**
 * Whom an operator can be compared with: those a class or two above who work in a near way, those of the
 * same class, and those who are strong where the operator is weak. Each comes with the reason and its numbers.
 *
 * @module
 */
import type {
  Complement,
  Mentor,
  MetricPlace,
  PeerGroups,
  TierPeer,
  Weakness,
} from '#core/schema/peer.ts';
import { SHOWN_TOOLS } from '#core/schema/shown.ts';
import { percentileOf } from '../board/board.ts';
import { CLASS_TIERS } from '../metrics/class-tier.ts';
import { exactMetric } from '../metrics/metrics.ts';
import { nearest } from './nearest.ts';
import type { PeerCandidate, PeerField, Side } from './peer-field.ts';
import { SOMEBODY, nobody } from './peer-texts.ts';
import { pillarDeltas } from '../metrics/pillar-deltas.ts';
import { aitchisonDistance, outputPerRead } from './shape-distance.ts';

/** How many classes above a mentor may stand. */
const CLASSES_ABOVE = 2;

/** How near another's tools are: the same main tool, any shared one, none. */
const TOOL_LEVELS = [0, 1, 2] as const;

/** The groups of who is not ranked. */
export const NO_PEERS: PeerGroups = {
  mentors: { ...nobody('not_ranked'), entries: [] },
  same_tier: { ...nobody('not_ranked'), entries: [] },
  complementary: { ...nobody('not_ranked'), weakness: null, entries: [] },
};

/**
 * The peers of one candidate, at most `limit` a group. Equal distances are settled by codename.
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
      ...toldOf(own, peer),
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
    return { ...toldOf(own, field.candidate(at)), because: 'similar_shape', distance: score };
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
    return { ...toldOf(own, field.candidate(at)), because: 'stronger_where_weak', conservative };
  });
  return { ...(entries.length > 0 ? SOMEBODY : nobody('nobody_stronger')), weakness, entries };
}

/** Null for who is ranked by yield, and so by leverage, but not by velocity. */
function weaknessOf({ ranked }: PeerField, { conservative }: PeerCandidate): Weakness | null {
  if (Number.isNaN(conservative.velocity)) return null;
  const placeOf = (side: Side) => placeAmong(ranked[side], conservative[side]);
  const leverage = placeOf('leverage');
  const velocity = placeOf('velocity');
  const metric = leverage.below <= velocity.below ? 'leverage' : 'velocity';
  return { metric, leverage: leverage.place, velocity: velocity.place };
}

/** @param lows Best first; equal ones share a rank. */
function placeAmong(lows: Float64Array, low: number): { below: number; place: MetricPlace } {
  const total = lows.length;
  const first = lows.indexOf(low);
  const below = total - 1 - lows.lastIndexOf(low);
  const percentile = percentileOf(lows, first);
  return { below: below / total, place: { conservative: low, rank: first + 1, total, percentile } };
}

/** Only whom anyone can visit is shown to others. */
function isPeer({ isOpen }: PeerField, at: number, caller: number): boolean {
  return at !== caller && isOpen[at] === 1;
}

function toolLevel(own: readonly string[], others: readonly string[]): number {
  if (own[0] === others[0]) return 0;
  return own.some((tool) => others.includes(tool)) ? 1 : 2;
}

/** What stands on every entry. */
function toldOf(own: PeerCandidate, peer: PeerCandidate) {
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
