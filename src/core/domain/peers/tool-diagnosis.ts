/** Describes which of a tool's days were compared, and why no improvement was found. */
import type { NoImprovement, ToolDiagnosis, ToolReason } from '#core/schema/improvement.ts';
import { significant } from '../metrics/metrics.ts';
import { figure } from '../text/figure.ts';
import { ratioOf } from './leaks.ts';
import type { MeasuredDay } from './tool-days.ts';

/** The fewest similar days. The best quarter of fewer would be too small to show a habit. */
export const LEAST_DAYS = 8;

/**
 * @param kinds The tool's days in groups of similar days, largest group first.
 * @param isNoisy Whether similar days showed a difference within normal variation.
 */
export function toolDiagnosis(
  found: Pick<ToolDiagnosis, 'found' | 'present' | 'tool'>,
  kinds: readonly (readonly MeasuredDay[])[],
  isNoisy: boolean,
): ToolDiagnosis {
  const days = kinds.flat();
  const measured = {
    ...found,
    days: days.length,
    days_compared: kinds.filter(({ length }) => length >= LEAST_DAYS).flat().length,
    most_similar: kinds[0]?.length ?? 0,
    yield_range: endsOf(days.map((day) => day.yield)),
    leverage_range: endsOf(days.map(({ counts }) => ratioOf('leverage', counts) ?? 0)),
    tokens_range: endsOf(days.map(({ total }) => total)),
  };
  const reason = found.found > 0 ? null : toolReason(reasonOf(measured, isNoisy), measured);
  return { ...measured, reason };
}

function reasonOf(
  { present, days, days_compared, most_similar }: Omit<ToolDiagnosis, 'reason'>,
  isNoisy: boolean,
): Omit<ToolReason, 'detail'> {
  const without = { required: null, actual: null };
  if (present.yield === null) return { code: 'yield_undefined', ...without };
  if (present.yield === 0) return { code: 'yield_zero', ...without };
  if (days < LEAST_DAYS) return { code: 'days_few', required: LEAST_DAYS, actual: days };
  if (isNoisy && days_compared > 0) return { code: 'within_noise', ...without };
  if (days_compared === days) return { code: 'gain_small', ...without };
  return { code: 'days_differ', required: LEAST_DAYS, actual: most_similar };
}

function endsOf(values: readonly number[]): [number, number] | null {
  if (values.length === 0) return null;
  return [significant(Math.min(...values)), significant(Math.max(...values))];
}

type WithoutText<Reason> = Omit<Reason, 'detail'>;

/** The reason for an empty list of improvements. */
export function emptyReason(reason: WithoutText<NoImprovement>): NoImprovement {
  return { ...reason, detail: emptyText(reason) };
}

function emptyText({ code, required, actual }: WithoutText<NoImprovement>): string {
  switch (code) {
    case 'no_tokens':
      return 'There are no tokens in these days.';
    case 'yield_undefined':
      return 'Yield is undefined: no record of these days reports both input and cache reads.';
    case 'yield_zero':
      return 'Yield is 0: on these days no tokens were read from a cache, or none were written as output.';
    case 'days_low':
      return `There are too few similar days to compare: a tool needs ${required}, and the most there are is ${actual}. Similar days are at most a factor of three apart in all tokens and in output.`;
    case 'within_noise':
      return 'Similar days of one tool differ no more than chance allows.';
    case 'nothing_to_gain':
      return 'Nothing found among similar days would raise the yield of a tool by 0.1% or more.';
  }
}

/** The reason why nothing was found for a tool. */
function toolReason(
  reason: WithoutText<ToolReason>,
  measured: Omit<ToolDiagnosis, 'reason'>,
): ToolReason {
  return { ...reason, detail: toolText(reason, measured) };
}

function toolText(
  { code, required }: WithoutText<ToolReason>,
  measured: Omit<ToolDiagnosis, 'reason'>,
): string {
  const { days, days_compared: compared } = measured;
  switch (code) {
    case 'yield_undefined':
      return 'This tool reports no cache reads or no input, so it has no yield.';
    case 'yield_zero':
      return 'Yield is 0: this tool read nothing from a cache, or wrote no output.';
    case 'days_few':
      return `A comparison needs ${required} days of 10,000 tokens or more with cache reads; there ${days === 1 ? 'is' : 'are'} ${days}.`;
    case 'days_differ':
      return differText(measured, required);
    case 'within_noise':
      return `${compared} of ${days} days were compared${rangeText(measured)}. Similar days differ no more than chance allows.${leftOut(measured)}`;
    case 'gain_small':
      return `All ${days} days were compared${rangeText(measured)}. Bringing similar days up to the best quarter of them would raise the yield by less than 0.1%.`;
  }
}

function differText(measured: Omit<ToolDiagnosis, 'reason'>, required: number | null): string {
  const { days, days_compared: compared, most_similar } = measured;
  if (compared > 0) {
    return `${compared} of ${days} days were compared and show nothing to gain.${leftOut(measured)}`;
  }
  return `The ${days} days differ too much in volume to be compared${rangeText(measured)}: at most ${most_similar} are within a factor of three of each other in all tokens and in output, and a comparison needs ${required}.`;
}

/** Mentions days of other volumes, which may have been other work. */
function leftOut({ days, days_compared, leverage_range }: Omit<ToolDiagnosis, 'reason'>): string {
  const left = days - days_compared;
  if (left === 0) return '';
  const [low, high] = leverage_range ?? [0, 0];
  const spread = `leverage over all days is ${figure(low)} to ${figure(high)}`;
  return ` The other ${left} have too few days of a similar volume and were left out (${spread}).`;
}

function rangeText({ tokens_range, leverage_range }: Omit<ToolDiagnosis, 'reason'>): string {
  if (!tokens_range || !leverage_range) return '';
  const [least, most] = tokens_range;
  const [low, high] = leverage_range;
  return ` (${figure(least)} to ${figure(most)} tokens a day, leverage ${figure(low)} to ${figure(high)})`;
}
