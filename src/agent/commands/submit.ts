import { utcDay } from '#core/domain/day.ts';
import { FIRST_DAY } from '#core/domain/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { atEachBoard } from '../boards.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import { type Device, identitiesOf } from '../device.ts';
import { type ExitCode, Failure } from '../failure.ts';
import type { Identity } from '../keystore.ts';
import {
  Interrupted,
  type Submission,
  composePayloads,
  outboxOf,
  pendingStatements,
  submit as submitTo,
} from '../loop/submit.ts';
import { type ScanResult, scanLogs } from '../logs/scan.ts';
import { plain, plainJson } from '../text/plain.ts';
import { tellUnread } from '../text/scan.ts';
import { standingText } from '../text/standing.ts';

export const submit: Command = {
  help: `opbench submit [--board URL] [--dry-run] [--json]: sign and send the days that the
board does not have as they are now, then show where you stand. Without --board it
goes to every board where this device is enrolled.

Example: opbench submit --dry-run --board https://bench.example.org

--dry-run sends nothing and prints the exact bytes that would be signed, one
snapshot a line; first come those that were signed before and not answered.
--json prints {"submissions": [{"board", "snapshots", "records", "receipts"}],
"failures": [{"board", "exit", "code", "message"}]}.
`,
  async run(device, args, output) {
    const given = readArguments(args, { options: ['board', 'dry-run', 'json'] });
    if (given.dryRun) return dryRun(device, given.board, output);
    const found = identitiesOf(device, given.board);
    const buckets = await sendableBuckets(device, output);
    const submissions: Submission[] = [];
    const { failures, exitCode } = await atEachBoard(found, output, async (identity) => {
      const submission = await submitTo(device, identity, buckets).catch((error: unknown) => {
        if (error instanceof Interrupted) submissions.push(error.submission);
        throw error;
      });
      submissions.push(submission);
      await tellStanding(device, identity, submission, output);
    });
    if (given.json) output.result(plainJson({ submissions, failures }));
    return exitCode;
  },
};

/** Without an enrolment nothing is sent yet, so everything would be. */
async function dryRun(
  device: Device,
  board: string | undefined,
  output: Output,
): Promise<ExitCode> {
  const isStranger = board !== undefined && !device.keystore.identity(board);
  const found = isStranger ? { sound: [], damaged: [] } : identitiesOf(device, board);
  const buckets = await sendableBuckets(device, output);
  const show = (payload: Uint8Array) => output.result(new TextDecoder().decode(payload));
  if (isStranger) composePayloads(device, board, buckets).forEach(({ payload }) => show(payload));
  const { exitCode } = await atEachBoard(found, output, async (identity) => {
    const outbox = outboxOf(device, identity);
    for (const statement of pendingStatements(outbox, identity.board)) {
      show(statement.payload);
      outbox.assumeSent(statement.buckets);
    }
    const fresh = composePayloads(device, identity.board, outbox.unsent(buckets));
    fresh.forEach(({ payload }) => show(payload));
  });
  return exitCode;
}

/** A log's clock may be wrong; the board takes no day before 2023 and none in the future. */
async function sendableBuckets({ environment, nowMs }: Device, output: Output): Promise<Bucket[]> {
  const scanned = await scanLogs(environment);
  const today = utcDay(nowMs());
  const sendable = scanned.buckets.filter(({ day }) => day >= FIRST_DAY && day <= today);
  const left = scanned.buckets.length - sendable.length;
  if (left > 0) output.note(`${left} records of impossible days are left out`);
  tellUnread(scanned, output);
  tellAbsence(scanned, output);
  return sendable;
}

function tellAbsence({ sources }: ScanResult, output: Output): void {
  if (sources.some(({ files }) => files > 0)) return;
  const places = sources.flatMap(({ tool, roots }) => {
    return roots.map((root) => `  ${tool}: ${plain(root)}`);
  });
  output.note(['No log was found on this device. Looked in:', ...places].join('\n'));
}

async function tellStanding(
  device: Device,
  identity: Identity,
  { board, snapshots, records }: Submission,
  output: Output,
): Promise<void> {
  const sent = snapshots === 0 ? 'nothing new to send' : `${records} records accepted`;
  output.note(`${board}: ${sent}`);
  try {
    const me = await device.client.me(identity);
    output.note(`As published at ${plain(me.generated_at)}, next at ${plain(me.next_refresh_at)}:`);
    output.note(standingText(me));
  } catch (error) {
    // What was accepted stays so, whether or not the standing can be told.
    if (!(error instanceof Failure) || snapshots === 0) throw error;
    output.note(`The standing is not known: ${plain(error.message)}`);
  }
}
