import { atEachBoard } from '../boards.ts';
import { type Command, readArguments } from '../command.ts';
import { type Device, identitiesOf } from '../device.ts';
import { Refusal } from '../failure.ts';
import type { Identity } from '../keystore.ts';
import { plainJson } from '../text/plain.ts';

export const logout: Command = {
  help: `opbench logout [--board URL] [--local] [--json]: revoke this device's key at the
board and erase it here. What was sent stays on the board. --local erases the key
even if the board cannot be reached; then revoke the device in the board's settings.

Example: opbench logout --board https://bench.example.org

--json prints {"logged_out": [URL...], "failures": [{"board", "exit", "code",
"message"}]}.
`,
  async run(device, args, output) {
    const { board, json, local } = readArguments(args, { options: ['board', 'local', 'json'] });
    const logged_out: string[] = [];
    const found = identitiesOf(device, board);
    const { failures, exitCode } = await atEachBoard(found, output, async (identity) => {
      const revoked = local || (await revoke(device, identity));
      device.keystore.erase(identity.board);
      logged_out.push(identity.board);
      if (!revoked) output.note(`${identity.board} had revoked the key of this device already`);
      if (!json) output.result(`Logged out of ${identity.board}`);
    });
    if (json) output.result(plainJson({ logged_out, failures }));
    return exitCode;
  },
};

/** Whether the key could be revoked; false if the board takes it no more anyway. */
async function revoke({ client }: Device, identity: Identity): Promise<boolean> {
  try {
    await client.revoke(identity);
    return true;
  } catch (error) {
    if (error instanceof Refusal && isGone(error)) return false;
    throw error;
  }
}

function isGone({ status, code }: Refusal): boolean {
  return status === 404 || code === 'key_revoked' || code === 'key_unknown';
}
