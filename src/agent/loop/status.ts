import type { StatusReport } from '../reports.ts';
import { atEachBoard } from '../board/each-board.ts';
import { type LocalDevice, identitiesOf } from '../device.ts';
import type { ExitCode } from '../failure.ts';
import { checkLog } from '../log-check/check-log.ts';
import { logReport } from '../log-check/log-report.ts';
import { COPY_ADVICE, bindingOf, copyText } from '../state/machine.ts';
import type { Outbox } from '../state/outbox.ts';
import { type Collected, collect, listedDays } from './collect.ts';
import { statementsDue } from './compose.ts';
import type { SubmitOptions } from './submit-all.ts';
import { standingHere } from './standing.ts';
import { outboxOf, pendingIn, pendingStatements } from './submit.ts';
import { daysOf, knownWithdrawn } from './withdraw.ts';

/**
 * The state of this device for each of its boards, and the operator's ranks. These are null if the board cannot be asked.
 *
 * @throws {Failure} if this device is not enrolled there.
 */
export async function readStatus(
  device: LocalDevice,
  { board, tell = () => undefined, progress }: Pick<SubmitOptions, 'board' | 'progress' | 'tell'>,
): Promise<{ report: StatusReport; exitCode: ExitCode }> {
  const boards: StatusReport['boards'] = [];
  const found = identitiesOf(device, board);
  const collected = await collect(device, progress);
  const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
    const outbox = outboxOf(device, identity);
    const known = {
      board: identity.board,
      pending: pendingIn(outbox, identity.board),
      unsigned: unsignedIn(outboxOf(device, identity), identity.board, collected),
      last_submission_at: outbox.lastSubmissionAt(),
    };
    const unasked = { withdrawn_days: null, standing: null, log: logReport(device, identity) };
    const at = boards.push({ ...known, ...unasked }) - 1;
    const me = await device.client.me(identity);
    const withdrawn = await knownWithdrawn(device, { identity, outbox }, me);
    const standing = standingHere(device, identity, me);
    const withdrawn_days = me.withdrawn && withdrawn ? daysOf(withdrawn) : null;
    boards[at] = { ...known, ...unasked, withdrawn_days, standing };
    const log = await checkLog(device, identity);
    boards[at] = { ...boards[at], log };
  });
  const left_out = listedDays(collected.impossible);
  const binding = bindingOf(device);
  const copied = binding.state === 'copied' ? `${copyText(binding)}. ${COPY_ADVICE}` : null;
  return { report: { boards, left_out, copied, failures }, exitCode };
}

/** The counts that the next submit would sign, without pending ones. Stores nothing. */
function unsignedIn(outbox: Outbox, board: string, collected: Collected) {
  for (const statement of pendingStatements(outbox, board)) outbox.assumeSent(statement);
  const buckets = statementsDue(outbox, collected).statements.flatMap((due) => due.buckets);
  return { days: new Set(buckets.map(({ day }) => day)).size, records: buckets.length };
}
