/** Texts of comparisons. */
import {
  type ComparedOperator,
  type ComparisonView,
  MAX_COMPARED,
  MIN_COMPARED,
} from '#core/domain/board/comparison.ts';
import type { MetricName } from '#core/schema/record.ts';
import { capitalised, count, listText } from '../text/format.ts';
import { METRIC_WORDS, boardText } from '../text/words.ts';

export type ComparisonFault =
  { kind: 'too_few' | 'too_many' } | { kind: 'no_page'; missing: readonly string[] };

/** What to change about the requested names. Null for a page on which nothing was entered yet. */
export function faultText(fault: ComparisonFault, asked: number): string | null {
  switch (fault.kind) {
    case 'too_few':
      return asked === 0 ? null : `Enter at least ${MIN_COMPARED} different codenames.`;
    case 'too_many':
      return `Enter at most ${MAX_COMPARED} codenames.`;
    case 'no_page':
      // The text must not reveal why there is no page.
      return `No operator with a public page is called ${listText(fault.missing, 'or')}. Enter codenames as shown on the board.`;
  }
}

type Compared = Pick<ComparedOperator, 'codename' | 'standing'>;

/** The result of a comparison by one metric. */
type Result =
  | { kind: 'higher'; codename: string; degree: 'higher' | 'highest' }
  /** The intervals of the best ones overlap. */
  | { kind: 'overlap'; names: readonly string[] }
  /** Fewer than two have an interval. */
  | { kind: 'unknown' };

/** Only intervals that do not overlap show a difference. */
function resultOf(measured: ReturnType<typeof measuredBy>): Result {
  const [best, ...others] = measured;
  if (!best || others.length === 0) return { kind: 'unknown' };
  const close = others.filter(({ high }) => high === null || high >= best.low);
  if (close.length > 0) {
    return { kind: 'overlap', names: [best, ...close].map(({ codename }) => codename) };
  }
  const degree = others.length === 1 ? 'higher' : 'highest';
  return { kind: 'higher', codename: best.codename, degree };
}

/** Operators with an interval, the highest conservative value first. */
function measuredBy(metric: MetricName, operators: readonly Compared[]) {
  const measured = operators.flatMap(({ codename, standing }) => {
    const { interval = null, conservative = null } = standing?.metrics[metric] ?? {};
    if (interval === null || conservative === null) return [];
    return [{ codename, conservative, low: interval[0], high: interval[1] }];
  });
  return measured.sort((a, b) => b.conservative - a.conservative);
}

/** The result by one metric, in sentences. */
export function verdictText(metric: MetricName, operators: readonly Compared[]): string {
  const { name } = METRIC_WORDS[metric];
  const measured = measuredBy(metric, operators);
  const result = resultOf(measured);
  if (result.kind === 'unknown') {
    return `${capitalised(name)} cannot be compared: at least two operators need an interval.`;
  }
  const known = new Set(measured.map(({ codename }) => codename));
  const left = operators.flatMap(({ codename }) => (known.has(codename) ? [] : [codename]));
  const more =
    left.length === 0
      ? ''
      : ` ${listText(left)} ${left.length === 1 ? 'has' : 'have'} no interval.`;
  return result.kind === 'higher'
    ? `${result.codename} has the ${result.degree} ${name}.${more}`
    : `The intervals of ${listText(result.names)} overlap, so there is no clear difference between them.${more}`;
}

/** The result by yield as a title; the names if they cannot be compared. */
export function resultTitle(operators: readonly Compared[]): string {
  const result = resultOf(measuredBy('yield', operators));
  if (result.kind === 'higher') return `${result.codename} has the ${result.degree} yield`;
  if (result.kind === 'overlap') return 'No clear difference in yield';
  return listText(operators.map(({ codename }) => codename));
}

/** What a table shows. The first one also says of which board. @param total The number of ranked operators. */
export function captionText(metric: MetricName, view: ComparisonView, total: number): string {
  const { name } = METRIC_WORDS[metric];
  const among = `Ranks are among ${count(total, 'ranked operator')}.`;
  if (metric !== 'yield') return `Conservative ${name}. ${among}`;
  const counts = view.trust === 'signed' ? 'signed counts' : 'signed and unsigned counts';
  return `${boardText(view)}, ${counts}. ${among} The large number is conservative ${name}, the measured value lowered by its uncertainty.`;
}
