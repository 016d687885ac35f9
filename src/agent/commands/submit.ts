import { utcDay } from '#core/domain/day.ts';
import { FIRST_DAY } from '#core/domain/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import { type Device, identitiesOf } from '../device.ts';
import { EXIT, type ExitCode } from '../failure.ts';
import type { Identity } from '../keystore.ts';
import {
  type Submission,
  composePayloads,
  outboxOf,
  submit as submitBuckets,
} from '../loop/submit.ts';
import { plain, standingText } from '../print.ts';
import { scanLogs } from '../scan.ts';

export const submit: Command = {
  help: `opbench submit [--board URL] [--dry-run] [--json]: sign and send the days that the
board does not have as they are now, then show where you stand. Without --board it
goes to every board where this device is enrolled.

Example: opbench submit --dry-run --board https://bench.example.org

--dry-run sends nothing and prints the exact bytes that would be signed, one
snapshot a line.
`,
  async run(device, args, output) {
    const given = readArguments(args, { options: ['board', 'dry-run', 'json'] });
    if (given.dryRun) return dryRun(device, given.board, output);
    const identities = identitiesOf(device, given.board);
    const buckets = await sendableBuckets(device, output);
    const submissions: Submission[] = [];
    for (const identity of identities) {
      const submission = await submitBuckets(device, identity, buckets);
      submissions.push(submission);
      await tellStanding(device, identity, submission, output);
    }
    if (given.json) output.result(JSON.stringify({ submissions }));
    return EXIT.ok;
  },
};

/** Without an enrolment nothing is sent yet, so everything would be. */
async function dryRun(
  device: Device,
  board: string | undefined,
  output: Output,
): Promise<ExitCode> {
  const identities =
    board === undefined || device.keystore.identity(board) ? identitiesOf(device, board) : [];
  const buckets = await sendableBuckets(device, output);
  const plans = identities.map((identity) => ({
    audience: identity.board,
    buckets: outboxOf(device, identity).unsent(buckets),
  }));
  if (board !== undefined && plans.length === 0) plans.push({ audience: board, buckets });
  for (const plan of plans) {
    for (const { payload } of composePayloads(device, plan.audience, plan.buckets)) {
      output.result(new TextDecoder().decode(payload));
    }
  }
  return EXIT.ok;
}

/** A log's clock may be wrong; the board takes no day before 2023 and none in the future. */
async function sendableBuckets({ environment, nowMs }: Device, output: Output): Promise<Bucket[]> {
  const { buckets, sources } = await scanLogs(environment);
  const today = utcDay(nowMs());
  const sendable = buckets.filter(({ day }) => day >= FIRST_DAY && day <= today);
  const left = buckets.length - sendable.length;
  if (left > 0) output.note(`${left} records of impossible days are left out`);
  for (const reason of sources.flatMap(({ unreadable }) => unreadable)) {
    output.note(`not read: ${plain(reason)}`);
  }
  return sendable;
}

async function tellStanding(
  device: Device,
  identity: Identity,
  { board, snapshots, records }: Submission,
  output: Output,
): Promise<void> {
  const sent = snapshots === 0 ? 'nothing new to send' : `${records} records accepted`;
  output.note(`${board}: ${sent}`);
  const me = await device.client.me(identity);
  output.note(`As published at ${me.generated_at}, next at ${me.next_refresh_at}:`);
  output.note(standingText(me));
}
