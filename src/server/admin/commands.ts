/** The commands of `opbench-board`, as `--help` lists them. */
import type { Program, Terminal } from '#core/cli/program.ts';
import type { ServedSettings } from '../running-server.ts';
import type { Command } from './command.ts';
import { admin } from './commands/admin.ts';
import { announce } from './commands/announce.ts';
import { auditList } from './commands/audit.ts';
import { backup } from './commands/backup.ts';
import { challenge } from './commands/challenge.ts';
import { compact } from './commands/compact.ts';
import { deploy } from './commands/deploy.ts';
import { endSessions } from './commands/end-sessions.ts';
import { doctor } from './commands/doctor.ts';
import { MOVING, exportPublicLog } from './commands/export.ts';
import { health } from './commands/health.ts';
import { heldList, submissionList } from './commands/held.ts';
import { init } from './commands/init.ts';
import { invite } from './commands/invite.ts';
import { key } from './commands/key.ts';
import { loginLink } from './commands/login-link.ts';
import { messages } from './commands/messages.ts';
import { mirror } from './commands/mirror.ts';
import { decide, hideOrUnhide } from './commands/moderation.ts';
import { promote } from './commands/promote.ts';
import { read } from './commands/read.ts';
import { restore } from './commands/restore.ts';
import { ruleset } from './commands/ruleset.ts';
import { satellite } from './commands/satellite.ts';
import { serve } from './commands/serve.ts';
import { upgrade } from './commands/upgrade.ts';
import { verify } from './commands/verify.ts';
import { webhook } from './commands/webhook.ts';
import { witness } from './commands/witness.ts';
import { explain } from './explain.ts';
import { ENV_FILE, settingsFor } from './settings.ts';
import { versionText } from './version.ts';

type Line = readonly [usage: string, summary: string, command: Command];

const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Run a board',
    [
      ['serve', 'run the board', serve],
      ['read', 'show a board that another machine runs', read],
      ['health', 'ask the running board whether it is alive', health],
      ['doctor', 'check the board, its settings and its services', doctor],
      ['upgrade', 'replace this program with the newest release', upgrade],
      ['init DIR', "create files for the board's name, colors and rules", init],
      ['deploy DIR', 'write systemd units, compose.yaml and settings for a server', deploy],
      ['satellite DIR', 'write the companion site for another host', satellite],
    ],
  ],
  [
    'Back up, move and verify a board',
    [
      ['backup FILE', 'copy the whole board into one file while it runs', backup],
      ['restore FILE', 'restore a backup on this machine', restore],
      ['promote COPY', 'make this machine the writer when the old one is gone', promote],
      ['verify [FILE]', 'check that a board or a backup is complete and intact', verify],
      ['export [FILE]', 'write the public log', exportPublicLog],
      ['witness show|add|list|remove', 'let two boards witness each other', witness],
      ['mirror URL DIR', 'follow the public log of another board and check it', mirror],
      ['compact', 'return unused space in the database to the disk', compact],
    ],
  ],
  [
    'Help and moderate operators',
    [
      ['admin add|remove|list', 'manage admins and moderators', admin],
      ['invite create|list|revoke', 'invite people to join', invite],
      ['login-link CODENAME', 'create a one-time sign-in link', loginLink],
      ['end-sessions CODENAME', 'sign an operator out in all browsers', endSessions],
      ['messages [show|answer|…]', 'read and answer messages from operators', messages],
      ['held', 'list the submissions that wait for your decision', heldList],
      ['submissions CODENAME', "list an operator's submissions", submissionList],
      ['hold SUBMISSION', 'put a submission on hold until you decide', decide('hold')],
      ['release SUBMISSION', 'count a submission again', decide('release')],
      ['reject SUBMISSION', 'stop counting a submission', decide('reject')],
      ['hide CODENAME', 'hide an operator from everyone', hideOrUnhide('hide')],
      ['unhide CODENAME', 'show a hidden operator again', hideOrUnhide('unhide')],
      ['challenge create|list|cancel', 'manage challenges', challenge],
      ['ruleset preview|switch', 'choose the version of the ranking rules', ruleset],
      ['announce set|show|clear', 'show a line above all public pages', announce],
      ['key issue|list|revoke', 'manage API keys', key],
      ['webhook add|list|…', 'send events to other services', webhook],
      ['audit', 'list what admins did', auditList],
    ],
  ],
];

export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  GROUPS.flatMap(([, lines]) => lines).map(([usage, , command]) => [usage.split(' ')[0], command]),
);

export const PROGRAM: Program<ServedSettings, Terminal> = {
  version: versionText,
  overview,
  commands: Object.fromEntries(
    Object.entries(COMMANDS).map(([name, command]) => [name, () => command]),
  ),
  gone: { import: MOVING },
  shared: [ENV_FILE],
  contextOf: (name, _args, shared) => {
    return settingsFor(name, COMMANDS[name]?.keepsUser === true, shared);
  },
  explain,
  // Settings that people may try as options.
  settings: ['BASE_URL', 'BOARD_DIR', 'DATA_DIR', 'HOST', 'PORT', 'UPDATE_URL'],
};

function overview(): string {
  const groups = GROUPS.map(([title, lines]) => {
    const rows = lines.map(([usage, summary]) => `  ${usage.padEnd(29)} ${summary}\n`);
    return `${title}\n${rows.join('')}`;
  });
  return `opbench-board: run and administer an Opbench board

Usage: opbench-board COMMAND [OPTIONS]

${groups.join('\n')}
"opbench-board COMMAND --help" explains a command, with options and an example.
Every command that returns a result takes --json; "opbench-board COMMAND --help
--json" describes that JSON. All commands except restore work while the server
runs.

If opbench-board is not installed, run "npm run -s board -- COMMAND" in the
checkout.

Settings are environment variables, such as BASE_URL and DATA_DIR. Every command
takes --env-file FILE, before or after its name, and reads variables that are not
set from that file. Commands find the other settings of the running server through
DATA_DIR. When root runs a command, it works as the user that owns DATA_DIR.

Exit codes:
  0  done
  1  the arguments or the settings are invalid
  2  the disk or the database cannot be read or written
  3  the request was rejected, or a check found a problem
  4  a bug in opbench-board
`;
}
