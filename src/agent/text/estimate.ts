/** What the counts of this device would have on a board, as text. */
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Estimate, WindowEstimate } from '../loop/estimate.ts';
import { boundsText, counted, valueText } from './figures.ts';
import { missingText } from './missing.ts';
import { filled, named } from './table.ts';

/** How many tools are shown if there are several. */
const SHOWN_TOOLS = 4;

/** The estimate in lines that fit a terminal; empty without tokens in its windows. */
export function estimateLines({ class_tier, windows, tools }: Estimate): string[] {
  if (windows.every(({ standing }) => standing === null)) return [];
  const tier =
    class_tier === 'unclassed'
      ? `none yet, because a class needs a rank in ${CLASS_WINDOW}`
      : class_tier;
  const several = tools.length > 1 ? tools : [];
  const left = several.length - SHOWN_TOOLS;
  return [
    'On a board, with the counts of this device only',
    named('class', tier),
    ...windows.flatMap((one) => windowLines('  ', one)),
    ...several.slice(0, SHOWN_TOOLS).flatMap(({ tool, windows: [first] }) => {
      return first?.standing ? [plain(`  ${tool}`), ...windowLines('    ', first)] : [];
    }),
    ...(left > 0 ? [`  and ${counted(left, 'more tool')}`] : []),
    ...(several.length > 0
      ? ['  tools count input differently, so boards rank each tool, too']
      : []),
  ];
}

function windowLines(indent: string, { window, standing, missing }: WindowEstimate): string[] {
  if (standing === null) return filled(indent, window, ['no tokens']);
  const [first, ...others] = missing.map(missingText);
  const rank = first === undefined ? ['enough for a rank'] : [`no rank yet: ${first}`, ...others];
  const { metrics, intervals } = standing;
  const value = `yield ${valueText(metrics.yield)}`;
  if (metrics.yield === null) return filled(indent, window, [value, ...rank]);
  const interval = intervals.yield ? `95% interval ${boundsText(intervals.yield)}` : 'no interval';
  return filled(indent, window, [value, interval, ...rank]);
}

/** The estimate as JSON. */
export function estimateReport({ ruleset, class_tier, windows, tools }: Estimate) {
  return {
    ruleset,
    class_tier,
    windows: windows.map(windowReport),
    tools: tools.map(({ tool, windows: own }) => ({ tool, windows: own.map(windowReport) })),
  };
}

function windowReport({ window, standing, missing }: WindowEstimate) {
  return {
    window,
    yield: standing?.metrics.yield ?? null,
    interval: standing?.intervals.yield ?? null,
    tokens: standing?.bases.all.total ?? 0,
    active_days: standing?.bases.read.active_days ?? 0,
    reasons: missing.map((reason) => {
      const { code, required, actual } = reason;
      return { code, required, actual, text: missingText(reason) };
    }),
  };
}
