/** The commands of `opbench-board`. Each one is loaded when it is used. */
import type { Program, Terminal } from '#core/cli/program.ts';
import type { ServedSettings } from '../running-server.ts';
import type { Command } from './command.ts';
import { explain } from './explain.ts';
import { MOVING } from './moving.ts';
import { ENV_FILE, settingsFor } from './settings.ts';
import { versionText } from './version.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  read: async () => (await import('./commands/read.ts')).read,
  health: async () => (await import('./commands/health.ts')).health,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgrade,
  init: async () => (await import('./commands/init.ts')).init,
  deploy: async () => (await import('./commands/deploy.ts')).deploy,
  satellite: async () => (await import('./commands/satellite.ts')).satellite,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  promote: async () => (await import('./commands/promote.ts')).promote,
  verify: async () => (await import('./commands/verify.ts')).verify,
  export: async () => (await import('./commands/export.ts')).exportPublicLog,
  witness: async () => (await import('./commands/witness.ts')).witness,
  mirror: async () => (await import('./commands/mirror.ts')).mirror,
  compact: async () => (await import('./commands/compact.ts')).compact,
  admin: async () => (await import('./commands/admin.ts')).admin,
  invite: async () => (await import('./commands/invite.ts')).invite,
  'login-link': async () => (await import('./commands/login-link.ts')).loginLink,
  'end-sessions': async () => (await import('./commands/end-sessions.ts')).endSessions,
  messages: async () => (await import('./commands/messages.ts')).messages,
  held: async () => (await import('./commands/held.ts')).heldList,
  submissions: async () => (await import('./commands/held.ts')).submissionList,
  hold: async () => (await import('./commands/moderation.ts')).decide('hold'),
  release: async () => (await import('./commands/moderation.ts')).decide('release'),
  reject: async () => (await import('./commands/moderation.ts')).decide('reject'),
  hide: async () => (await import('./commands/moderation.ts')).hideOrUnhide('hide'),
  unhide: async () => (await import('./commands/moderation.ts')).hideOrUnhide('unhide'),
  challenge: async () => (await import('./commands/challenge.ts')).challenge,
  ruleset: async () => (await import('./commands/ruleset.ts')).ruleset,
  announce: async () => (await import('./commands/announce.ts')).announce,
  key: async () => (await import('./commands/key.ts')).key,
  webhook: async () => (await import('./commands/webhook.ts')).webhook,
  audit: async () => (await import('./commands/audit.ts')).auditList,
};

type Line = readonly [usage: string, summary: string];

/** The commands as `--help` lists them. */
const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Run a board',
    [
      ['serve', 'run the board'],
      ['read', 'show a board that another machine runs'],
      ['health', 'ask the running board whether it is alive'],
      ['doctor', 'check the board, its settings and its services'],
      ['upgrade', 'replace this program with the newest release'],
      ['init DIR', "create files for the board's name, colors and rules"],
      ['deploy DIR', 'write systemd units, compose.yaml and settings for a server'],
      ['satellite DIR', 'write the companion site for another host'],
    ],
  ],
  [
    'Back up, move and verify a board',
    [
      ['backup FILE', 'copy the whole board into one file while it runs'],
      ['restore FILE', 'restore a backup on this machine'],
      ['promote COPY', 'make this machine the writer when the old one is gone'],
      ['verify [FILE]', 'check that a board or a backup is complete and intact'],
      ['export [FILE]', 'write the public log, or the public daily counts'],
      ['witness show|add|list|remove', 'let two boards witness each other'],
      ['mirror URL DIR', 'follow the public log of another board and check it'],
      ['compact', 'return unused space in the database to the disk'],
    ],
  ],
  [
    'Help and moderate operators',
    [
      ['admin add|remove|list', 'manage admins and moderators'],
      ['invite create|list|revoke', 'invite people to join'],
      ['login-link CODENAME', 'create a one-time sign-in link'],
      ['end-sessions CODENAME', 'sign an operator out in all browsers'],
      ['messages [show|answer|…]', 'read and answer messages from operators'],
      ['held', 'list the submissions that wait for your decision'],
      ['submissions CODENAME', "list an operator's submissions"],
      ['hold SUBMISSION', 'put a submission on hold until you decide'],
      ['release SUBMISSION', 'count a submission again'],
      ['reject SUBMISSION', 'stop counting a submission'],
      ['hide CODENAME', 'hide an operator from everyone'],
      ['unhide CODENAME', 'show a hidden operator again'],
      ['challenge create|list|cancel', 'manage challenges'],
      ['ruleset preview|switch', 'choose the version of the ranking rules'],
      ['announce set|show|clear', 'show a line above all public pages'],
      ['key issue|list|revoke', 'manage API keys'],
      ['webhook add|list|…', 'send events to other services'],
      ['audit', 'list what admins did'],
    ],
  ],
];

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
