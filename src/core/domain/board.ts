/** The board: who is ranked by a metric in a window, in which order, and what the others lack. */
import type { UnrankedReason, WindowName } from '../schema/board.ts';
import type { MetricName } from '../schema/record.ts';
import type { Ruleset } from './ruleset.ts';
import { BASIS, type Standing } from './standing.ts';

/** An operator with a standing in the window. */
export interface Contender {
  codename: string;
  standing: Standing;
}

/** One metric's board over a list of contenders, which it names by their position. */
export interface Ranking {
  /** Best first. */
  ranked: { contender: number; rank: number }[];
  /** By codename. */
  unranked: { contender: number; reasons: UnrankedReason[] }[];
}

/**
 * Ranks contenders by one metric. Equal values share a rank (1, 2, 2, 4); in a tie more tokens come
 * first, then the smaller codename. Independent of the order of the input.
 */
export function rankContenders(
  contenders: readonly Contender[],
  metric: MetricName,
  window: WindowName,
  ruleset: Ruleset,
): Ranking {
  const ranked: { contender: number; value: number; rank: number }[] = [];
  const unranked: Ranking['unranked'] = [];
  contenders.forEach(({ standing }, contender) => {
    const reasons = whatIsMissing(standing, metric, window, ruleset);
    const value = rankingValue(standing, metric);
    if (value === null || reasons.length > 0) unranked.push({ contender, reasons });
    else ranked.push({ contender, value, rank: 0 });
  });
  const at = (index: number) => contenders[index] as Contender;
  ranked.sort((a, b) => b.value - a.value || inTie(at(a.contender), at(b.contender)));
  ranked.forEach((entry, index) => {
    const above = ranked[index - 1];
    entry.rank = above?.value === entry.value ? above.rank : index + 1;
  });
  unranked.sort((a, b) => byCodename(at(a.contender), at(b.contender)));
  return { ranked: ranked.map(({ contender, rank }) => ({ contender, rank })), unranked };
}

/** The number that decides the order: the metric's value in the window. */
function rankingValue(standing: Standing, metric: MetricName): number | null {
  return standing.metrics[metric];
}

/** Every condition of the ruleset that a standing does not meet for a metric, with both numbers. */
export function whatIsMissing(
  standing: Standing,
  metric: MetricName,
  window: WindowName,
  ruleset: Ruleset,
): UnrankedReason[] {
  const basis = BASIS[metric];
  const usage = standing.bases[basis];
  const floors: [UnrankedReason['code'], number, number | null][] = [
    ['active_days_low', ruleset.active_days[window], usage.active_days],
    ['effective_days_low', ruleset.effective_days[window], usage.effective_days],
    ['total_low', ruleset.total_tokens, usage.total],
    ['output_low', ruleset.output_tokens, usage.output],
    ['coverage_low', ruleset.coverage, standing.coverage[basis]],
  ];
  const reasons: UnrankedReason[] = floors
    .filter(([, required, actual]) => (actual ?? 0) < required)
    .map(([code, required, actual]) => ({ code, required, actual }));
  if (standing.metrics[metric] === null) {
    reasons.push({ code: 'metric_undefined', required: null, actual: null });
  } else if (metric === 'snr' && usage.input === 0) {
    // The end of the scale: nothing tells how sure it is.
    reasons.push({ code: 'interval_undefined', required: null, actual: null });
  }
  return reasons;
}

function inTie(a: Contender, b: Contender): number {
  return b.standing.bases.all.total - a.standing.bases.all.total || byCodename(a, b);
}

function byCodename(a: Contender, b: Contender): number {
  return a.codename < b.codename ? -1 : 1;
}
