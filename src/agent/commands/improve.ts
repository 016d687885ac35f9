import { sumPillars } from '#core/domain/bucket.ts';
import { DomainError } from '#core/domain/errors.ts';
import { LEAST_DAYS } from '#core/domain/improve.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { improvementText } from '../text/improvement.ts';
import { type LocalDiagnosis, improve as diagnose } from '../loop/improve.ts';
import { plain, plainJson } from '../text/plain.ts';
import { tellUnread } from '../text/scan.ts';
import { scanLogs } from '../logs/scan.ts';

const DEFAULT_DAYS = 90;
const MOST_DAYS = 3660;

export const improve: Command = {
  help: `opbench improve [--days 90] [--board URL] [--json]: where your days lose yield, and
what other days of yours did better. Sends nothing, unless --board names a board
that is asked for the medians of the class above yours.

Example: opbench improve --days 30

--json prints {"class_tier", "from", "to", "present": {"yield", "leverage",
"velocity"}, "next_class", "empty_because", "total", "entries": [{"leak", "tool",
"habit", "trade_off", "target", "evidence", "reached_on", "attainability",
"simulated", "gain", "score"}]}, as GET /api/v1/improvements of a board does.
`,
  async run(device, args, output) {
    const {
      board = null,
      days,
      json,
    } = readArguments(args, {
      options: ['board', 'days', 'json'],
    });
    const span = readDays(days);
    const scanned = await scanLogs(device.environment);
    tellUnread(scanned, output);
    refuseTooMany(scanned.buckets);
    const asked = { buckets: scanned.buckets, days: span };
    const local = board === null ? null : await askedOf(device, { ...asked, board }, output);
    const diagnosis = local ?? (await diagnose(device, { ...asked, board: null }));
    output.result(json ? plainJson(diagnosis) : improvementText(diagnosis));
    return board !== null && local === null ? EXIT.partial : EXIT.ok;
  },
};

/** Without its board a diagnosis is still worth having: null, and what is wrong is told. */
async function askedOf(
  device: Device,
  asked: Parameters<typeof diagnose>[1],
  { note }: Output,
): Promise<LocalDiagnosis | null> {
  try {
    return await diagnose(device, asked);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`opbench: ${plain(error.message)}`);
    note('Only your own days are compared.');
    return null;
  }
}

/** @throws {Failure} `usage` for what is no number of days, or too few for a quarter of them. */
function readDays(text: string | undefined): number {
  if (text === undefined) return DEFAULT_DAYS;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= LEAST_DAYS && days <= MOST_DAYS) return days;
  throw new Failure(EXIT.usage, `--days takes a whole number from ${LEAST_DAYS} to ${MOST_DAYS}`);
}

function refuseTooMany(buckets: readonly Bucket[]): void {
  try {
    sumPillars(buckets);
  } catch (error) {
    if (error instanceof DomainError) throw new Failure(EXIT.usage, error.message);
    throw error;
  }
}
