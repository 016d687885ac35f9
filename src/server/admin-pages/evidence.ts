/** What an admin compares to judge a submission on hold: its days, the account's other days, and everyone's. */
import type { ShownCheck, StatedCounts } from '#db/checks.ts';
import type { Store } from '#db/store.ts';
import { DAY_OUTLIER, lnYield } from '#core/domain/checks/day-outlier.ts';
import { OUTPUT_RATE } from '#core/domain/checks/plausibility.ts';
import { addPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import type { CopiedDay, Evidence, EvidenceLine, Measure } from '#core/schema/pending-decision.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';

/** The longest period that a chart shows, in days with counts. */
const SHOWN_DAYS = 120;
/** The share of operators whose usual day is at most the upper line. */
const HIGH = 0.95;

/** Sums of a day and tool. `silent` is the part that reports no cache reads. */
type DayCounts = Pillars & Pick<StatedCounts, 'day' | 'tool'> & { silent: Silent };
type Silent = Pick<Pillars, 'input' | 'output'>;

/** The usual days of all operators, read once for a page. */
export type UsualDays = ReturnType<Store['checks']['usualDays']>;

/** The chart's data for a submission with the findings about it. */
export function evidenceOf(
  held: readonly DayCounts[],
  own: readonly DayCounts[],
  { checks, usual }: { checks: readonly ShownCheck[]; usual: UsualDays },
): Evidence {
  const { measure, tool } = measureOf(checks);
  const [mine, theirs] = [amountsOf(own, measure, tool), amountsOf(held, measure, tool)];
  const dates = [...new Set([...mine.keys(), ...theirs.keys()])].sort();
  const days = dates.slice(-SHOWN_DAYS).map((date) => {
    return { date, own: mine.get(date) ?? null, held: theirs.get(date) ?? null };
  });
  return { measure, tool, days, lines: linesOf(measure, tool, usual) };
}

/** What the checks that hold the submission compared. If that is not an amount of a day, all tokens of each day. */
function measureOf(checks: readonly ShownCheck[]): Pick<Evidence, 'measure' | 'tool'> {
  const holding = checks.filter(({ verdict }) => verdict === 'hold');
  if (holding.some(({ check_id }) => check_id === 'output_rate')) {
    return { measure: 'output', tool: null };
  }
  const outlier = holding.find(({ check_id }) => check_id === 'day_outlier');
  const tool = outlier?.tool ?? '';
  return tool === '' ? { measure: 'total', tool: null } : { measure: 'yield', tool };
}

function amountsOf(counts: readonly DayCounts[], measure: Measure, tool: string | null) {
  const some = counts.filter((day) => tool === null || day.tool === tool);
  const byDay = Map.groupBy(some, ({ day }) => day);
  const amounts = [...byDay].map(([day, parts]) => [day, amountOf(parts, measure)] as const);
  return new Map(amounts.filter(([, amount]) => amount > 0));
}

function amountOf(parts: readonly DayCounts[], measure: Measure): number {
  const [first] = parts;
  if (!first) return 0;
  // Only days of one tool have a yield here.
  if (measure === 'yield') return Math.exp(lnYield(first) ?? -Infinity);
  const of = measure === 'output' ? (part: DayCounts) => part.output : totalOf;
  return parts.reduce((sum, part) => sum + of(part), 0);
}

function linesOf(measure: Measure, tool: string | null, usual: UsualDays): EvidenceLine[] {
  if (measure === 'output') {
    return [
      { label: 'a note is added', value: OUTPUT_RATE.note },
      { label: 'put on hold', value: OUTPUT_RATE.hold },
    ];
  }
  const all = usual.filter((row) => row.tool === (tool ?? ''));
  const values = all.flatMap(({ ln_total, ln_yield }) => {
    return (measure === 'total' ? ln_total : ln_yield) ?? [];
  });
  // As in the check, too few operators with a tool are compared with all operators.
  if (values.length < DAY_OUTLIER.operators) {
    return tool === null ? [] : linesOf(measure, null, usual);
  }
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => Math.exp(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return [
    { label: 'median of everyone', value: at(1 / 2) },
    { label: `${100 * HIGH}% of everyone are below`, value: at(HIGH) },
  ];
}

/** The days of a submission, by day and tool. */
export function submittedDays(store: Store, log_index: number): DayCounts[] {
  const payload = store.log.at(log_index)?.payload;
  return payload ? summed(readLoggedSnapshot(payload).buckets.map(silentPart)) : [];
}

/** The days that count for an account, by day and tool. */
export function countedDays(store: Store, operator_id: number): DayCounts[] {
  return summed(
    store.checks.days(operator_id).map(({ silent_input, silent_output, ...counts }) => {
      return { ...counts, silent: { input: silent_input, output: silent_output } };
    }),
  );
}

function silentPart(bucket: Bucket): DayCounts {
  const { input, output } = bucket;
  const isSilent = bucket.cache_read === null;
  return { ...bucket, silent: isSilent ? { input, output } : { input: 0, output: 0 } };
}

function summed(parts: readonly DayCounts[]): DayCounts[] {
  const sums = new Map<string, DayCounts>();
  for (const part of parts) {
    const name = `${part.day}\n${part.tool}`;
    const sum = sums.get(name);
    if (!sum) {
      sums.set(name, { ...part, silent: { ...part.silent } });
      continue;
    }
    addPillars(sum, part);
    sum.silent.input += part.silent.input;
    sum.silent.output += part.silent.output;
  }
  return [...sums.values()];
}

/** The days that equal another account's, with the counts of both. */
export function copiedDays(
  held: readonly DayCounts[],
  other: readonly DayCounts[],
  days: readonly string[],
): CopiedDay[] {
  const theirs = new Map(other.map((counts) => [`${counts.day}\n${counts.tool}`, counts]));
  const byDay = Map.groupBy(other, ({ day }) => day);
  return held
    .filter(({ day }) => days.includes(day))
    .flatMap((counts) => {
      const { day, tool } = counts;
      // A copy can name another tool.
      const match = theirs.get(`${day}\n${tool}`) ?? byDay.get(day)?.[0];
      return match ? [{ day, tool, held: counts, other: match }] : [];
    })
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}
