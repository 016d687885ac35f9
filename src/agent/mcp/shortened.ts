/** What agents are shown of payloads and standings, shortened: all of it would fill their context window. */
import * as z from 'zod';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../state/atomic-file.ts';
import { type SubmissionReport, NOTICE_TEXTS, StatusReport, Untrusted } from '../reports.ts';
import { type Environment, stateFolder } from '../settings.ts';

/** All payloads together are shown whole up to here, in bytes. */
const MAX_SHOWN_BYTES = 20_000;

/** What is told of a payload; its records are shown as they stand in it. */
const Payload = z.object({ records: z.array(z.looseObject({ timestamp: z.string() })).min(1) });

/** What would be sent; members of what a submission tells. */
export const ShownPayloads = z.strictObject({
  payloads: z
    .array(
      z.strictObject({
        board: z.string(),
        payload: z
          .string()
          .nullable()
          .describe('The exact text that would be signed; null where all is too long to show.'),
        records: z.int().min(1),
        first_day: z.string(),
        last_day: z.string(),
        bytes: z.int().min(1).describe('The length of the exact text in UTF-8.'),
        sha256: z.string().describe('Of the exact text, in hexadecimal digits.'),
        first_record: z.looseObject({}).describe('As the exact text has it.'),
      }),
    )
    .describe('What would be sent; empty unless `dry_run`.'),
  payloads_file: z
    .string()
    .nullable()
    .describe(
      'A file on this device with the exact texts, a line each, if they are too long to show; the next dry run replaces it.',
    ),
});
export type ShownPayloads = z.infer<typeof ShownPayloads>;

/**
 * Tells of payloads that are too long what they hold, and keeps their exact bytes in a file that
 * the next dry run replaces.
 *
 * @throws {Failure} if the file cannot be written.
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

/** The most notices, windows and withdrawn days that are shown of one board. */
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
