/** The commands of `opbench-board`, as `--help` lists them. Each one is loaded when it is used. */
import type { Program, Terminal } from '#core/cli/program.ts';
import type { ServedSettings } from '../running-server.ts';
import type { Command } from './command.ts';
import { explain } from './explain.ts';
import { MOVING } from './moving.ts';
import { ENV_FILE, settingsFor } from './settings.ts';
import { versionText } from './version.ts';

type Load = () => Promise<Command>;
type Line = readonly [usage: string, summary: string, load: Load];

const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Run a board',
    [
      ['serve', 'run the board', async () => (await import('./commands/serve.ts')).serve],
      [
        'read',
        'show a board that another machine runs',
        async () => (await import('./commands/read.ts')).read,
      ],
      [
        'health',
        'ask the running board whether it is alive',
        async () => (await import('./commands/health.ts')).health,
      ],
      [
        'doctor',
        'check the board, its settings and its services',
        async () => (await import('./commands/doctor.ts')).doctor,
      ],
      [
        'upgrade',
        'replace this program with the newest release',
        async () => (await import('./commands/upgrade.ts')).upgrade,
      ],
      [
        'init DIR',
        "create files for the board's name, colors and rules",
        async () => (await import('./commands/init.ts')).init,
      ],
      [
        'deploy DIR',
        'write systemd units, compose.yaml and settings for a server',
        async () => (await import('./commands/deploy.ts')).deploy,
      ],
      [
        'satellite DIR',
        'write the companion site for another host',
        async () => (await import('./commands/satellite.ts')).satellite,
      ],
    ],
  ],
  [
    'Back up, move and verify a board',
    [
      [
        'backup FILE',
        'copy the whole board into one file while it runs',
        async () => (await import('./commands/backup.ts')).backup,
      ],
      [
        'restore FILE',
        'restore a backup on this machine',
        async () => (await import('./commands/restore.ts')).restore,
      ],
      [
        'promote COPY',
        'make this machine the writer when the old one is gone',
        async () => (await import('./commands/promote.ts')).promote,
      ],
      [
        'verify [FILE]',
        'check that a board or a backup is complete and intact',
        async () => (await import('./commands/verify.ts')).verify,
      ],
      [
        'export [FILE]',
        'write the public log, or the public daily counts',
        async () => (await import('./commands/export.ts')).exportPublicLog,
      ],
      [
        'witness show|add|list|remove',
        'let two boards witness each other',
        async () => (await import('./commands/witness.ts')).witness,
      ],
      [
        'mirror URL DIR',
        'follow the public log of another board and check it',
        async () => (await import('./commands/mirror.ts')).mirror,
      ],
      [
        'compact',
        'return unused space in the database to the disk',
        async () => (await import('./commands/compact.ts')).compact,
      ],
    ],
  ],
  [
    'Help and moderate operators',
    [
      [
        'admin add|remove|list',
        'manage admins and moderators',
        async () => (await import('./commands/admin.ts')).admin,
      ],
      [
        'invite create|list|revoke',
        'invite people to join',
        async () => (await import('./commands/invite.ts')).invite,
      ],
      [
        'login-link CODENAME',
        'create a one-time sign-in link',
        async () => (await import('./commands/login-link.ts')).loginLink,
      ],
      [
        'end-sessions CODENAME',
        'sign an operator out in all browsers',
        async () => (await import('./commands/end-sessions.ts')).endSessions,
      ],
      [
        'messages [show|answer|…]',
        'read and answer messages from operators',
        async () => (await import('./commands/messages.ts')).messages,
      ],
      [
        'held',
        'list the submissions that wait for your decision',
        async () => (await import('./commands/held.ts')).heldList,
      ],
      [
        'submissions CODENAME',
        "list an operator's submissions",
        async () => (await import('./commands/held.ts')).submissionList,
      ],
      [
        'hold SUBMISSION',
        'put a submission on hold until you decide',
        async () => (await import('./commands/moderation.ts')).decide('hold'),
      ],
      [
        'release SUBMISSION',
        'count a submission again',
        async () => (await import('./commands/moderation.ts')).decide('release'),
      ],
      [
        'reject SUBMISSION',
        'stop counting a submission',
        async () => (await import('./commands/moderation.ts')).decide('reject'),
      ],
      [
        'hide CODENAME',
        'hide an operator from everyone',
        async () => (await import('./commands/moderation.ts')).hideOrUnhide('hide'),
      ],
      [
        'unhide CODENAME',
        'show a hidden operator again',
        async () => (await import('./commands/moderation.ts')).hideOrUnhide('unhide'),
      ],
      [
        'challenge create|list|cancel',
        'manage challenges',
        async () => (await import('./commands/challenge.ts')).challenge,
      ],
      [
        'ruleset preview|switch',
        'choose the version of the ranking rules',
        async () => (await import('./commands/ruleset.ts')).ruleset,
      ],
      [
        'announce set|show|clear',
        'show a line above all public pages',
        async () => (await import('./commands/announce.ts')).announce,
      ],
      [
        'key issue|list|revoke',
        'manage API keys',
        async () => (await import('./commands/key.ts')).key,
      ],
      [
        'webhook add|list|…',
        'send events to other services',
        async () => (await import('./commands/webhook.ts')).webhook,
      ],
      [
        'audit',
        'list what admins did',
        async () => (await import('./commands/audit.ts')).auditList,
      ],
    ],
  ],
];

export const COMMANDS: Readonly<Record<string, Load>> = Object.fromEntries(
  GROUPS.flatMap(([, lines]) => lines).map(([usage, , load]) => [usage.split(' ')[0], load]),
);

export const PROGRAM: Program<ServedSettings, Terminal> = {
  version: versionText,
  overview,
  commands: COMMANDS,
  gone: { import: MOVING },
  shared: [ENV_FILE],
  contextOf: async (name, _args, shared) => {
    const command = await COMMANDS[name]?.();
    return settingsFor(name, command?.keepsUser === true, shared);
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
