/** What logs add up to by day and by model, shortened for agents: a long history would fill their context window. */
import * as z from 'zod';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { ScanReport } from '../device-reports.ts';
import { EXIT, Failure } from '../failure.ts';
import type { ScanResult } from '../logs/scan.ts';
import { lastDays, scanReport } from '../loop/scan.ts';
import { sumsBy } from '../text/scan.ts';

const MAX_DAYS = 92;
const MAX_MODELS = 50;

const Sums = ScanReport.shape.totals;
const Source = { tool: z.string(), provider: z.string(), model: z.string() };

export const DetailedScan = z.strictObject({
  ...ScanReport.shape,
  by_day: z
    .array(z.strictObject({ day: z.string(), ...Sums.shape }))
    .describe(`The newest ${MAX_DAYS} days with tokens, oldest first.`),
  by_model: z
    .array(z.strictObject({ ...Source, ...Sums.shape }))
    .describe(`The ${MAX_MODELS} models used most, by tool and provider.`),
  left_out: z
    .strictObject({ days: z.int().min(0), models: z.int().min(0) })
    .describe('Rows that are not shown; `totals` holds them.'),
});
export type DetailedScan = z.infer<typeof DetailedScan>;

/** Which records are added up; all of what is absent. */
interface ScanFilter {
  days?: number | undefined;
  tool?: string | undefined;
  model?: string | undefined;
}

/**
 * What a scan found, with rows for days and models.
 *
 * @throws {Failure} `usage` for a tool or model that no log has, or if the logs hold more tokens than can be counted.
 */
export function detailedScan(
  scanned: ScanResult,
  { days, tool, model }: ScanFilter,
  nowMs: number,
): DetailedScan {
  const { buckets } = scanned;
  refuseUnknown(
    'tool',
    tool,
    scanned.sources.map((source) => source.tool),
  );
  refuseUnknown(
    'model',
    model,
    buckets.map((bucket) => bucket.model),
  );
  const found = lastDays(scanned, days, nowMs).buckets.filter((bucket) => {
    return (tool ?? bucket.tool) === bucket.tool && (model ?? bucket.model) === bucket.model;
  });
  const byDay = rowsBy(found, ({ day }) => ({ day }));
  const byModel = rowsBy(found, (bucket) => {
    return { tool: bucket.tool, provider: bucket.provider, model: bucket.model };
  }).sort((a, b) => b.total - a.total);
  return {
    ...scanReport({ ...scanned, buckets: found }),
    by_day: byDay.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-MAX_DAYS),
    by_model: byModel.slice(0, MAX_MODELS),
    left_out: {
      days: Math.max(0, byDay.length - MAX_DAYS),
      models: Math.max(0, byModel.length - MAX_MODELS),
    },
  };
}

function refuseUnknown(what: string, given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return;
  const names = [...new Set(known)];
  const near = nearestName(given, names);
  const hint =
    near === null
      ? `There are: ${names.slice(0, MAX_MODELS).join(', ') || 'none'}.`
      : `Did you mean ${near}?`;
  throw new Failure(
    EXIT.usage,
    `The logs on this device hold nothing of the ${what} "${given}"`,
    hint,
  );
}

/** Rows of buckets added up by what `nameOf` makes of each. */
function rowsBy<Name extends object>(buckets: readonly Bucket[], nameOf: (bucket: Bucket) => Name) {
  const sums = sumsBy(buckets, (bucket) => JSON.stringify(nameOf(bucket)));
  return Array.from(sums, ([name, sum]) => {
    return { ...(JSON.parse(name) as Name), ...sum, total: totalOf(sum) };
  });
}
