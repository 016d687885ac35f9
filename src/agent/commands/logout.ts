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
  help: `opbench logout [--board URL] [--local] [--json]: revoke this device's key at the
board and erase it here, with what it signed and the board has not answered.
What was sent stays on the board. --local erases the key even if the board
cannot be reached; then revoke the device in the board's settings. With --board
it also forgets an enrolment that was begun there and not answered. On a copy of
another machine's state folder it erases the key here only: the original keeps
its key.

Example: opbench logout --board https://bench.example.org

--json prints {"logged_out": [URL...], "failures": [{"board", "exit", "code",
"message", "hint"}]}.
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
      output.part(`Forgot the enrolment that was begun on ${board}`);
    }
    const tell = (failure: BoardFailure) => failureLines(failure).forEach(output.note);
    const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
      const revoked = local || (await revoke(device, identity));
      // Without the key no board takes what it signed; the logs and the receipts stay.
      outboxOf(device, identity).abandon();
      device.keystore.erase(identity.board);
      logged_out.push(identity.board);
      if (!revoked) output.note(`${identity.board} had revoked the key of this device already`);
      if (isCopy) output.note(COPY_NOTE);
      output.part(`Logged out of ${identity.board}`);
    });
    output.result({ logged_out, failures });
    tellTimer(device, output);
    return exitCode;
  },
});

const COPY_NOTE =
  'The state folder is a copy of another one, so the key was erased here only: the original still has it.';

/**
 * The identities to erase; none where only an enrolment that was not answered is to be forgotten.
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
  const hint = isBegun ? 'To forget the enrolment that was begun there, add --local.' : elsewhere;
  return identitiesOf(device, board, hint);
}

/** A timer has nothing to do where no key is left. */
function tellTimer({ environment, keystore }: LocalDevice, { note }: AgentOutput): void {
  if (keystore.isEnrolled() || readSetting(environment) === null) return;
  note('The timer is still on. To turn it off: opbench auto off');
}

/** Whether the key could be revoked; false if the board takes it no more anyway. */
async function revoke({ client }: LocalDevice, identity: Identity): Promise<boolean> {
  try {
    await client.revoke(identity);
    return true;
  } catch (error) {
    if (error instanceof Refusal && isGone(error)) return false;
    if (!(error instanceof Failure) || error.exitCode !== EXIT.network) throw error;
    const hint = `${error.hint ?? ''} To erase the key here only, add --local.`.trim();
    throw new Failure(EXIT.network, error.message, hint);
  }
}

function isGone({ status, code }: Refusal): boolean {
  return status === 404 || code === 'key_revoked' || code === 'key_unknown';
}
