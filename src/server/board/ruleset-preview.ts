/** What another version of the ranking rules would change on the current board. */
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { thetaOf } from '#core/domain/metrics/conservative.ts';
import { middleOf } from '#core/domain/metrics/median.ts';
import type {
  BoardEntry,
  ClassTier,
  UnrankedEntry,
  UnrankedReason,
  WindowName,
} from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { Projection } from '../publication/projection.ts';
import { publicationOf } from '../publication/read/publication.ts';

/** What an operator has under one ruleset. */
export interface RuledPlace {
  rank: number | null;
  class_tier: ClassTier;
  conservative: number | null;
  interval: BoardEntry['interval'];
}

/**
 * Why an operator moves: the rank is new or gone; or the interval becomes narrower or wider, relative to those of others;
 * or neither, so that only others move.
 */
export type MoveReason = 'narrower' | 'others' | 'rank_gone' | 'rank_new' | 'wider';

export interface RulesetMove {
  codename: string;
  before: RuledPlace;
  after: RuledPlace;
  why: MoveReason;
  /** What the operator lacks for a rank under the new ruleset. */
  missing: readonly UnrankedReason[];
}

export interface RulesetPreview {
  as_of: string;
  /** How many operators are ranked. */
  ranked: { before: number; after: number };
  /** How many keep their rank and class. */
  unchanged: number;
  /** Operators whose rank or class changes, by their new rank. */
  moves: readonly RulesetMove[];
}

type Entry = BoardEntry | UnrankedEntry;
interface View {
  metric: MetricName;
  window: WindowName;
  nowMs: number;
}

/** Computes the board of this moment under two rulesets. Stores nothing. */
export function previewRuleset(
  store: AppContext['store'],
  [before, after]: readonly [Ruleset, Ruleset],
  view: View,
): RulesetPreview {
  const { metric, nowMs } = view;
  const earlier = new Map(entriesUnder(store, before, view).map((each) => [each.codename, each]));
  const pairs = entriesUnder(store, after, view).flatMap((entry) => {
    const old = earlier.get(entry.codename);
    return old ? [{ old, entry }] : [];
  });
  const rows = pairs.map(({ old, entry }) => ({
    codename: entry.codename,
    before: placeOf(old),
    after: placeOf(entry),
    widening: wideningOf(metric, old, entry),
    missing: 'reasons' in entry ? entry.reasons : [],
  }));
  const widenings = rows.flatMap(({ widening }) => widening ?? []).sort((a, b) => a - b);
  const usual = middleOf(Float64Array.from(widenings));
  const count = (name: 'after' | 'before') => rows.filter((row) => row[name].rank !== null).length;
  const moves = rows
    .filter(
      (row) => row.before.rank !== row.after.rank || row.before.class_tier !== row.after.class_tier,
    )
    .map(({ widening, ...row }) => ({ ...row, why: reasonOf(row, widening, usual) }));
  const shown = rows.filter(({ before, after }) => before.rank !== null || after.rank !== null);
  return {
    as_of: utcDay(nowMs),
    ranked: { before: count('before'), after: count('after') },
    unchanged: shown.length - moves.length,
    moves,
  };
}

/** Everybody with tokens in the window: the ranked by rank, then the others by codename. */
function entriesUnder(
  store: AppContext['store'],
  ruleset: Ruleset,
  { metric, window, nowMs }: View,
): Entry[] {
  const as_of = utcDay(nowMs);
  const projection = new Projection(ruleset);
  const log_index = projection.refresh(store, as_of);
  const head = { id: 0, log_index, as_of, ruleset: ruleset.id, generated_at: as_of };
  const publication = publicationOf(
    { head, state: projection.project() },
    { refreshMs: 0, earlier: () => () => ({ day: null, week: null }) },
  );
  const board = publication.window(window);
  const everybody = { from: 0, limit: Number.POSITIVE_INFINITY };
  return [...board.ranked(metric, everybody).entries, ...board.unranked(metric, everybody).entries];
}

function placeOf(entry: Entry): RuledPlace {
  const { class_tier, conservative, interval } = entry;
  return { rank: 'rank' in entry ? entry.rank : null, class_tier, conservative, interval };
}

/** How many times as wide the interval becomes below the value, on the metric's scale; null if it has no width. */
function wideningOf(metric: MetricName, old: Entry, entry: Entry): number | null {
  const [before, after] = [old, entry].map(({ metrics, interval }) => {
    const value = metrics[metric];
    return value === null || !interval ? 0 : thetaOf(metric, value) - thetaOf(metric, interval[0]);
  }) as [number, number];
  const widening = after / before;
  return Number.isFinite(widening) ? widening : null;
}

function reasonOf(
  { before, after }: Pick<RulesetMove, 'after' | 'before'>,
  widening: number | null,
  usual: number,
): MoveReason {
  if (before.rank === null || after.rank === null) {
    return before.rank === null ? 'rank_new' : 'rank_gone';
  }
  if (widening !== null && after.rank > before.rank && widening > usual) return 'wider';
  if (widening !== null && after.rank < before.rank && widening < usual) return 'narrower';
  return 'others';
}
