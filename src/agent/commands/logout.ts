import { readSetting } from '../auto/switch.ts';
import { atEachBoard } from '../board/each-board.ts';
import { readBoardUrl } from '../board/address.ts';
import { type AgentOutput, command } from '../command.ts';
import { type LocalDevice, identitiesOf } from '../device.ts';
import { EXIT, Failure, Refusal } from '../failure.ts';
import type { Identities, Identity } from '../state/keystore.ts';
import { bindingOf } from '../state/machine.ts';
import { outboxOf } from '../loop/submit.ts';
import type { BoardFailure } from '../reports.ts';
import { failureLines } from '../text/failure.ts';

export const logout = command({
  help: `opbench logout: revoke this device's key at the board and erase it here

Usage: opbench logout [--board URL] [--local] [--json]

  --board URL  only this board; default: every board you are enrolled on
  --local      erase the key without asking the board, for example if it cannot
               be reached; then revoke the device in the board's settings
  --json       print JSON

Your submissions stay on the board. Signed counts that the board has not
confirmed are discarded. With --board, an unfinished enrollment on that board is
discarded too. If the state folder is a copy, only the copy's key is erased.

Example: opbench logout --board https://bench.example.org
`,
  json: `opbench logout --json prints one object:

  logged_out  array of board addresses
  failures    array of {board, exit, code, message, hint}
`,
  options: { board: readBoardUrl, local: 'flag' },
  async run({ values }, output, device) {
    const { board } = values;
    const isCopy = bindingOf(device).state === 'copied';
    const local = values.local || isCopy;
    const logged_out: string[] = [];
    const found = identitiesIn(device, board, local);
    if (board !== undefined && found.sound.length === 0) {
      device.keystore.dropPending(board);
      logged_out.push(board);
      output.part(`Discarded the unfinished enrollment on ${board}`);
    }
    const tell = (failure: BoardFailure) => failureLines(failure).forEach(output.note);
    const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
      const revoked = local || (await revoke(device, identity));
      // Boards do not accept its envelopes without the key. The ledger and the receipts stay.
      outboxOf(device, identity).abandon();
      device.keystore.erase(identity.board);
      logged_out.push(identity.board);
      if (!revoked) output.note(`${identity.board} had already revoked the key of this device.`);
      if (isCopy) output.note(COPY_NOTE);
      output.part(`Logged out of ${identity.board}`);
    });
    output.result({ logged_out, failures });
    tellTimer(device, output);
    return exitCode;
  },
});

const COPY_NOTE =
  'This state folder is a copy, so the key was erased only here. The original device keeps its key.';

/**
 * The identities to erase; empty if there is only an unfinished enrollment to discard.
 *
 * @throws {Failure} `notEnrolled` if there is nothing to erase.
 */
function identitiesIn(
  device: LocalDevice,
  board: string | undefined,
  isLocal: boolean,
): Identities {
  const { keystore } = device;
  const isBegun = board !== undefined && !keystore.identity(board) && keystore.hasPending(board);
  if (isBegun && isLocal) return { sound: [], damaged: [] };
  const others = keystore.identities().sound.map((one) => one.board);
  const elsewhere = others.length === 0 ? null : `It is enrolled on ${others.join(', ')}.`;
  const hint = isBegun ? 'To discard the unfinished enrollment there, add --local.' : elsewhere;
  return identitiesOf(device, board, hint);
}

/** Without any key, the timer has nothing to do. */
function tellTimer({ environment, keystore }: LocalDevice, { note }: AgentOutput): void {
  if (keystore.isEnrolled() || readSetting(environment) === null) return;
  note('The timer is still on. To remove it: opbench auto off');
}

/** Revokes the key. Returns false if the board did not accept the key any more. */
async function revoke({ client }: LocalDevice, identity: Identity): Promise<boolean> {
  try {
    await client.revoke(identity);
    return true;
  } catch (error) {
    if (error instanceof Refusal && isGone(error)) return false;
    if (!(error instanceof Failure) || error.exitCode !== EXIT.network) throw error;
    const hint = `${error.hint ?? ''} To erase the key only here, add --local.`.trim();
    throw new Failure(EXIT.network, error.message, hint);
  }
}

function isGone({ status, code }: Refusal): boolean {
  return status === 404 || code === 'key_revoked' || code === 'key_unknown';
}
