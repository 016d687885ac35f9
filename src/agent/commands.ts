import type { Command } from './command.ts';
import { enroll } from './commands/enroll.ts';
import { improve } from './commands/improve.ts';
import { logout } from './commands/logout.ts';
import { scan } from './commands/scan.ts';
import { status } from './commands/status.ts';
import { submit } from './commands/submit.ts';
import { verify } from './commands/verify.ts';

export const HELP = `opbench: honest metrics from your assistants' token logs

  opbench scan                       what the logs on this device add up to
  opbench enroll CODE --board URL    bind this device to your account on a board
  opbench submit                     sign and send what the board does not have yet
  opbench status                     where you stand
  opbench improve                    where you lose yield, by your own days
  opbench verify FILE|URL            check a board's public log, and recompute the board
  opbench logout                     revoke this device's key and erase it

Every command takes --help and --json. Only daily token counts by provider, model
and tool ever leave this device; "opbench submit --dry-run" prints the exact bytes.

Exit codes: 0 done, 1 usage, 2 not enrolled, 3 refused by the board, 4 network,
5 partly done.
`;

export const COMMANDS: Readonly<Record<string, Command>> = {
  scan,
  enroll,
  submit,
  status,
  improve,
  verify,
  logout,
};
