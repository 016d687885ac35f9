import type { StatusReport } from '../reports.ts';
import { atEachBoard } from '../board/each-board.ts';
import { type Device, identitiesOf } from '../device.ts';
import type { ExitCode } from '../failure.ts';
import type { SubmitOptions } from './submit-all.ts';
import { askStanding } from './standing.ts';
import { outboxOf, pendingIn } from './submit.ts';

/**
 * What this device knows of its boards, and what they say of it; the one is told without the other.
 *
 * @throws {Failure} if this device is not enrolled there.
 */
export async function readStatus(
  device: Device,
  { board, tell = () => undefined }: Pick<SubmitOptions, 'board' | 'tell'>,
): Promise<{ report: StatusReport; exitCode: ExitCode }> {
  const boards: StatusReport['boards'] = [];
  const found = identitiesOf(device, board);
  const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
    const outbox = outboxOf(device, identity);
    const known = {
      board: identity.board,
      pending: pendingIn(outbox, identity.board),
      last_submission_at: outbox.lastSubmissionAt(),
    };
    const at = boards.push({ ...known, standing: null }) - 1;
    boards[at] = { ...known, standing: await askStanding(device, identity) };
  });
  return { report: { boards, failures }, exitCode };
}
