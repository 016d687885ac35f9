/** What was compared of one tool's days, and why nothing came of it. */
import type { ToolDiagnosis, ToolReason } from '#core/schema/improvement.ts';
import { toolReason } from './improvement-texts.ts';
import { ratioOf } from './leaks.ts';
import { significant } from '../metrics/metrics.ts';
import type { MeasuredDay } from './tool-days.ts';

/** A quarter of fewer days is no habit. */
export const LEAST_DAYS = 8;

/**
 * @param kinds The tool's days by kind, the largest first.
 * @param isNoisy Whether similar days showed something that chance would show too.
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
