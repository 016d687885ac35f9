/** The days on which an operator reached a first rank or a new class, for milestones. */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { type MilestoneFacts, rankingYield } from '#core/domain/board/milestone.ts';
import { type Ruleset, withoutStatedDays } from '#core/domain/board/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { dayBefore, dayName, dayNumber } from '#core/domain/counting/day.ts';
import { CLASS_WINDOW, classLevel, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { type DaySeries, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { AppContext } from '../context.ts';
import { type AccountSum, accountSum } from '../counting/bucket-turns.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import {
  currentPublication,
  type PublicOperator,
} from '../publication/read/current-publication.ts';
import { readRulesets, rulesetOn } from './rulesets.ts';
import { allSignedDays, firstDayWithTokens } from './operator-calendar.ts';

type StoodDays = Pick<MilestoneFacts, 'classes' | 'ranks'>;

/** The most operators whose stored days are cached. */
const MAX_KEPT = 200;
const stood = new RecentMemo<AppContext['store'], StoodDays>(MAX_KEPT);

/** The days of a step. What can be ranked on a day takes 0.1 ms to compute. */
const STEP_DAYS = 30;

/**
 * The first rank, and each day with a new class, before the day of the current board. Stored days keep ranks, but most no
 * longer have values, so classes are computed from the counts. A stored day takes about 1 ms to read, so only those are
 * read on which the counts come to something new.
 */
export function stoodBefore(ctx: AppContext, operator: PublicOperator): AccountSum<StoodDays> {
  const { store } = ctx;
  const { as_of } = currentPublication(ctx);
  const newest = store.keptDays.kept(as_of, 1)[0]?.day ?? '';
  const kept = { memo: stood, owner: store, name: `${as_of} ${newest}` };
  return accountSum(ctx, operator, kept, function* () {
    const usage = allSignedDays(ctx, operator).read();
    const series = seriesOf(usage);
    const last = dayNumber(dayBefore(as_of));
    const first = firstDayWithTokens(usage) ?? last + 1;
    // Stored days know whether enough days were stated at the time.
    const rulesets = readRulesets(ctx).map(({ since, ruleset }) => {
      return { since, ruleset: withoutStatedDays(ruleset) };
    });
    const found: Found = { ranks: [], classes: [] };
    for (let day = first; day <= last; day += 1) {
      const fresh = newOn(day, found, { series, ruleset: rulesetOn(rulesets, day) });
      if (fresh.isNew) addStood(found, day, fresh, ranksOn(store, operator, dayName(day)));
      if (fresh.isNew || (day - first) % STEP_DAYS === 0) yield;
    }
    return found;
  });
}

interface Found {
  ranks: StoodDays['ranks'][number][];
  classes: StoodDays['classes'][number][];
}

/** What the counts of a day come to, compared with what was found before it. */
function newOn(
  day: number,
  { ranks, classes }: Found,
  { series, ruleset }: { series: DaySeries; ruleset: Ruleset },
) {
  const class_tier = classTierOf(rankingYield(series, CLASS_WINDOW, day, ruleset));
  const isClass = classLevel(class_tier) > classLevel(classes.at(-1)?.class_tier);
  const isRank = ranks.length === 0 && rankingYield(series, WINDOW, day, ruleset) !== null;
  return { class_tier, isClass, isRank, isNew: isClass || isRank };
}

/** Adds what the board of that day confirms. */
function addStood(
  { ranks, classes }: Found,
  number: number,
  { class_tier, isClass, isRank }: ReturnType<typeof newOn>,
  stored: ReturnType<typeof ranksOn>,
): void {
  if (!stored) return;
  const day = dayName(number);
  const rank = stored[WINDOW];
  if (isRank && rank !== null) ranks.push({ day, rank });
  if (isClass && stored[CLASS_WINDOW] !== null) classes.push({ day, class_tier });
}

const WINDOW = DEFAULT_VIEW.window;
const WINDOWS = [WINDOW, CLASS_WINDOW] as const;

/** The ranks on a stored day; undefined if the operator was not on its board. */
function ranksOn({ keptDays }: AppContext['store'], { id }: PublicOperator, day: string) {
  const span = { ...DEFAULT_SLICE, metric: 'yield', from: day, to: day } as const;
  return keptDays.ranksBy(id, WINDOWS, span)[0]?.ranks;
}
