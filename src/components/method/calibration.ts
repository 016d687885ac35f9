/** What the page about intervals says of the board's own calibration. */
import type { IntervalMethod } from '#core/domain/metrics/interval.ts';
import { CALIBRATED_METRICS, CALIBRATION_OPERATORS } from '#core/domain/board/calibration.ts';
import type { Calibration, MethodCalibration } from '#core/schema/calibration.ts';
import { METRIC_WORDS } from '../text/words.ts';
import { NONE, capitalised, count, fixed, momentText, whole } from '../text/format.ts';
import MEASURED from './measured-calibration.json' with { type: 'json' };

const METHODS: Readonly<Record<MethodCalibration['method'], string>> = {
  'jackknife-95': 'Leaving out days',
  'week-80': 'Comparing weeks, 80%',
  'week-95': 'Comparing weeks',
};

const percentOf = (percent: number | null) => (percent === null ? NONE : fixed(percent, 1));

/**
 * The result of a method in one or two sentences.
 *
 * @param method That of the board's ranking rules, which can be newer than the public log's file.
 */
export function calibrationResult(calibration: Calibration | null, method: IntervalMethod): string {
  const methods = calibration?.methods ?? [];
  const own = methods.find((of) => of.method === method) ?? methods[0];
  if (!own) return 'The board computes this with its first public log, minutes after its start.';
  const { operators, percent } = own.yield;
  if (!hasEnough(calibration)) {
    const needed = whole(CALIBRATION_OPERATORS);
    return `So far, ${count(operators, 'operator has', 'operators have')} enough days. The result appears with ${needed}.`;
  }
  return `Two parts of real histories agree within their intervals ${percentOf(percent)} times in 100. Expected: ${own.expected_percent}.`;
}

export function hasEnough(calibration: Calibration | null): calibration is Calibration {
  const operators = calibration?.methods[0]?.yield.operators ?? 0;
  return operators >= CALIBRATION_OPERATORS;
}

/** The figures of the board. The first method is that of the ranking rules in the public log's file. */
export function calibrationTable({ as_of, log_index, methods }: Calibration) {
  return {
    caption: `How often the two parts agree, in percent. 90 days to ${momentText(as_of, 'date')}, log up to entry ${whole(log_index)}.`,
    head: ['Metric', 'Operators', ...methods.map(({ method }) => METHODS[method])],
    rows: CALIBRATED_METRICS.map((metric) => [
      METRIC_WORDS[metric].label,
      whole(methods[0]?.[metric].operators ?? 0),
      ...methods.map((of) => percentOf(of[metric].percent)),
    ]),
  };
}

/** How much more often two parts agree than an interval contains the true value, at most, in whole percentage points. */
export function mostAboveCoverage(): number {
  const above = MEASURED.cases.flatMap(({ methods }) => {
    return methods.map(({ agreed, held }) => agreed - held);
  });
  return Math.ceil(Math.max(...above));
}

/** The same of simulated operators, whose true values are known. */
export function simulatedCalibration() {
  const [first] = MEASURED.cases;
  const head = (first?.methods ?? []).flatMap(({ method }) => [
    METHODS[method as keyof typeof METHODS],
    'True value inside',
  ]);
  return {
    caption: `${whole(MEASURED.rounds)} simulated operators in each case: how often the two parts agree about yield, and how often the interval of 90 days contains the true value, in percent`,
    head: ['Simulated operators', ...head],
    rows: MEASURED.cases.map(({ scenario, methods }) => [
      capitalised(scenario),
      ...methods.flatMap(({ agreed, held }) => [fixed(agreed, 1), fixed(held, 1)]),
    ]),
  };
}
