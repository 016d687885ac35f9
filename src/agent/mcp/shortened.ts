/** Shortens payloads, standings and scans for agents, whose context windows are limited. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { writePrivate } from '../state/atomic-file.ts';
import { type SubmissionReport, NOTICE_TEXTS, StatusReport, Untrusted } from '../reports.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { ScanReport } from '../device-reports.ts';
import { EXIT, Failure } from '../failure.ts';
import type { ScanResult } from '../logs/scan.ts';
import { daysFrom, scanReport } from '../loop/scan-device.ts';
import { firstOfLast } from '../since.ts';
import { sumsBy } from '../text/scan.ts';

/** Payloads are shown whole if all together are at most this long, in bytes. */
const MAX_SHOWN_BYTES = 20_000;

/** The part of a payload that is summarized. */
const Payload = z.object({ records: z.array(z.looseObject({ timestamp: z.string() })).min(1) });

/** The members of a submission report that describe a dry run. */
export const ShownPayloads = z.strictObject({
  payloads: z
    .array(
      z.strictObject({
        board: z.string(),
        payload: z
          .string()
          .nullable()
          .describe(
            'The exact text that would be signed; null if all payloads together are too long to show.',
          ),
        records: z.int().min(1),
        first_day: z.string(),
        last_day: z.string(),
        bytes: z.int().min(1).describe('The length of the exact text in UTF-8.'),
        sha256: z.string().describe('SHA-256 of the exact text, in hexadecimal digits.'),
        first_record: z.looseObject({}).describe('The first record of the exact text.'),
      }),
    )
    .describe('What would be sent; empty unless `dry_run`.'),
  payloads_file: z
    .string()
    .nullable()
    .describe(
      'A file on this device with the exact texts, one in each line, if they are too long to show. The next dry run replaces it.',
    ),
});
export type ShownPayloads = z.infer<typeof ShownPayloads>;

/**
 * Summarizes payloads that are too long to show, and saves their exact bytes in a file that the next dry run
 * replaces.
 */
export function shownPayloads(
  environment: Environment,
  payloads: SubmissionReport['payloads'],
): ShownPayloads {
  const path = join(stateFolder(environment), 'dry-run.ndjson');
  const bytes = payloads.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
  const isShown = bytes <= MAX_SHOWN_BYTES;
  if (isShown) rmSync(path, { force: true });
  else writePrivate(path, payloads.map(({ payload }) => `${payload}\n`).join(''));
  return {
    payloads: payloads.map(({ board, payload }) => ({
      board,
      payload: isShown ? payload : null,
      ...summaryOf(payload),
    })),
    payloads_file: isShown ? null : path,
  };
}

function summaryOf(payload: string) {
  const { records } = Payload.parse(JSON.parse(payload));
  const days = records.map(({ timestamp }) => timestamp.slice(0, 10)).sort();
  return {
    records: records.length,
    first_day: days[0] ?? '',
    last_day: days.at(-1) ?? '',
    bytes: Buffer.byteLength(payload),
    sha256: createHash('sha256').update(payload).digest('hex'),
    first_record: { ...records[0] },
  };
}

/** The highest number of notices, windows and withdrawn days that are shown for one board. */
const MAX_SHOWN = 20;

export const BoundedStatus = z.strictObject({
  untrusted: Untrusted,
  ...StatusReport.shape,
  left_out: z
    .int()
    .min(0)
    .describe(
      `Notices, windows and withdrawn days beyond the first ${MAX_SHOWN} of a board; "opbench status" shows all.`,
    ),
});
type BoundedStatus = z.infer<typeof BoundedStatus>;

export function boundedStatus({ boards, copied, failures }: StatusReport): BoundedStatus {
  let left_out = 0;
  const first = <One>(all: readonly One[]): One[] => {
    left_out += Math.max(0, all.length - MAX_SHOWN);
    return all.slice(0, MAX_SHOWN);
  };
  const shown = boards.map(({ standing, withdrawn_days, ...rest }) => {
    const known = { ...rest, withdrawn_days: withdrawn_days && first(withdrawn_days) };
    if (standing === null) return { ...known, standing };
    const [standings, notices] = [first(standing.standings), first(standing.notices)];
    return { ...known, standing: { ...standing, standings, notices } };
  });
  return { untrusted: [...NOTICE_TEXTS], boards: shown, copied, failures, left_out };
}

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
    .describe('Rows that are not shown. `totals` includes them.'),
});
export type DetailedScan = z.infer<typeof DetailedScan>;

/** Which daily counts to include. An absent member does not filter. */
interface ScanFilter {
  days?: number | undefined;
  tool?: string | undefined;
  model?: string | undefined;
}

/**
 * The result of a scan, with rows for days and models.
 *
 * @throws {Failure} `usage` for a tool or model that is not in the logs, or if the total is too large to count.
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
  const first = days === undefined ? null : firstOfLast(days, nowMs);
  const found = daysFrom(scanned, first).buckets.filter((bucket) => {
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
      ? `Known: ${names.slice(0, MAX_MODELS).join(', ') || 'none'}.`
      : `Did you mean ${near}?`;
  throw new Failure(
    EXIT.usage,
    `The logs on this device do not contain the ${what} "${given}"`,
    hint,
  );
}

function rowsBy<Name extends object>(buckets: readonly Bucket[], nameOf: (bucket: Bucket) => Name) {
  const sums = sumsBy(buckets, (bucket) => JSON.stringify(nameOf(bucket)));
  return Array.from(sums, ([name, sum]) => {
    return { ...(JSON.parse(name) as Name), ...sum, total: totalOf(sum) };
  });
}
