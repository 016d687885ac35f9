/** The commands of `opbench-board`, as `--help` lists them. */
import type { Program, Terminal } from '#core/cli/program.ts';
import { VERSION } from '#core/cli/version.ts';
import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { challenge } from './commands/challenge.ts';
import { doctor } from './commands/doctor.ts';
import { MOVING, exportPublicLog } from './commands/export.ts';
import { heldList, submissionList } from './commands/held.ts';
import { init } from './commands/init.ts';
import { key } from './commands/key.ts';
import { loginLink } from './commands/login-link.ts';
import { messages } from './commands/messages.ts';
import { auditList, decide, hideOrUnhide } from './commands/moderation.ts';
import { restore } from './commands/restore.ts';
import { satellite } from './commands/satellite.ts';
import { serve } from './commands/serve.ts';
import { verify } from './commands/verify.ts';
import { explain } from './explain.ts';

type Line = readonly [usage: string, summary: string, command: Command];

const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Run a board',
    [
      ['serve', 'the board itself', serve],
      ['doctor', 'what works, what does not, and what to do', doctor],
      ['init DIR', 'the files that make a board your own', init],
      ['satellite DIR', 'the companion site for another host', satellite],
    ],
  ],
  [
    'Keep what it holds',
    [
      ['backup FILE', 'a whole board as one file, while it runs', backup],
      ['restore FILE', 'a board from a backup, also on another machine', restore],
      ['verify [FILE]', 'prove that a board or a backup is whole', verify],
      ['export [FILE]', 'the public log', exportPublicLog],
    ],
  ],
  [
    'Look after people',
    [
      ['login-link CODENAME', 'a one-time sign-in URL; --new for a new operator', loginLink],
      ['messages', 'what operators wrote to you', messages],
      ['held', 'what waits for you to decide, and why', heldList],
      ['submissions CODENAME', 'what an operator sent', submissionList],
      ['hold SUBMISSION', 'it does not count until you decide', decide('hold')],
      ['release SUBMISSION', 'it counts again', decide('release')],
      ['reject SUBMISSION', 'it does not count', decide('reject')],
      ['hide CODENAME', 'shows an operator to nobody', hideOrUnhide('hide')],
      ['unhide CODENAME', 'shows the operator again', hideOrUnhide('unhide')],
      ['challenge create|list|cancel', 'what operators compete in', challenge],
      ['key issue|list|revoke', "keys of the API's readers", key],
      ['audit', 'what keepers did', auditList],
    ],
  ],
];

export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  GROUPS.flatMap(([, lines]) => lines).map(([usage, , command]) => [usage.split(' ')[0], command]),
);

export const PROGRAM: Program<unknown, Terminal> = {
  version: VERSION,
  overview,
  commands: Object.fromEntries(
    Object.entries(COMMANDS).map(([name, command]) => [name, () => command]),
  ),
  gone: { import: MOVING },
  contextOf: () => undefined,
  explain,
  // What many programs take as options, and this one from the environment.
  settings: ['BASE_URL', 'BOARD_DIR', 'DATA_DIR', 'HOST', 'PORT'],
};

function overview(): string {
  const groups = GROUPS.map(([title, lines]) => {
    const rows = lines.map(([usage, summary]) => `  ${usage.padEnd(29)} ${summary}\n`);
    return `${title}\n${rows.join('')}`;
  });
  return `opbench-board COMMAND: keep a board

${groups.join('\n')}
Where texts say "opbench-board", type what starts it here, such as "npm run -s board --".
"opbench-board COMMAND --help" shows a command's options, an example and its JSON.
Every command takes --json where it has a result. All but restore work beside a
running server.

Settings such as BASE_URL, PORT, DATA_DIR and BOARD_DIR are read from the
environment, as the server does: give a command the same ones. Beside a running
server HOST, PORT and BASE_URL may be missing: a note in DATA_DIR names them.

Exit codes: 0 done, 1 the arguments or the configuration cannot be used, 2 a disk
or the database cannot be read or written, 3 refused, or a problem was found,
4 a fault of opbench-board itself.
`;
}
