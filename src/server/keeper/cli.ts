/** `opbench-board`, the keeper's command. Works beside a running server. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DomainError, type Fault } from '#core/domain/errors.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { ConfigError } from '../config.ts';
import { challenge } from './challenge.ts';
import { exportPublicLog } from './export.ts';
import { heldList, submissionList } from './held.ts';
import { init } from './init.ts';
import { key } from './key.ts';
import { loginLink } from './login-link.ts';
import { messages } from './messages.ts';
import { auditList, decide, hideOrUnhide } from './moderation.ts';
import { satellite } from './satellite.ts';
import { UsageError } from './usage-error.ts';

const HELP = `opbench-board: keep a board

  opbench-board init DIR                       writes board.toml and board.css, with which you make
                                               a board your own, into a folder
  opbench-board login-link CODENAME            a one-time sign-in URL for an operator
  opbench-board login-link --new CODENAME      the same, for a new operator
  opbench-board key issue --label L            an API key; --per-minute N sets its limit (600)
  opbench-board key list                       all API keys, without their secrets
  opbench-board key revoke ID                  refuses a key from now on
  opbench-board messages                       the last 50 messages of operators
  opbench-board held [--json]                  what waits for you to decide, and why
  opbench-board submissions CODENAME           what an operator sent, newest first: --limit N (20),
                                               --json
  opbench-board hold SUBMISSION --reason R     it does not count until you decide
  opbench-board release SUBMISSION --reason R  it counts again, and checks let it pass
  opbench-board reject SUBMISSION --reason R   it does not count
  opbench-board hide CODENAME --reason R       shows an operator to nobody
  opbench-board unhide CODENAME --reason R     shows the operator again
  opbench-board audit [--limit N] [--json]     what keepers did, newest first (50)
  opbench-board challenge create               --title T --description D --metric M --from DAY
                                               --to DAY, and if wanted --tool T, --id ID and what
                                               it asks for: --min-active-days N,
                                               --min-effective-days N, --min-total-tokens N,
                                               --min-output-tokens N, --min-coverage SHARE
  opbench-board challenge list [--json]        all challenges and their states
  opbench-board challenge cancel ID --reason R
  opbench-board export [FILE]                  the public log, for opbench verify; packed if FILE
                                               ends with .gz, on stdout without FILE or for -
  opbench-board satellite DIR                  writes the companion site for the host at
                                               SATELLITE_URL into a folder, and says what to do
                                               with it; that origin should hold nothing else, as
                                               other pages of it could act as the site

A URL works once, for 15 minutes, and its operator sees that it was made; a key is
shown once. Both are printed alone on stdout. A reason is told to the operator and
stands in the public log as long as everybody may see the operator. Where an operator
is anonymous, CODENAME may be the name that everybody sees, but for login-link. Settings such as
BASE_URL, PORT, DATA_DIR and BOARD_DIR are read from the environment, as the server does.

Exit codes: 0 done, 1 usage or configuration, 3 refused.
`;

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<void> | void>> = {
  audit: auditList,
  challenge,
  export: exportPublicLog,
  key,
  hide: hideOrUnhide('hide'),
  held: heldList,
  hold: decide('hold'),
  init,
  'login-link': loginLink,
  messages,
  reject: decide('reject'),
  release: decide('release'),
  satellite,
  submissions: submissionList,
  unhide: hideOrUnhide('unhide'),
};

ensureNode();
process.exitCode = await run(process.argv.slice(2));

async function run([name = 'help', ...args]: string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name) || args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command "${name}"`);
    await command(args);
    return 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`opbench-board: ${error.message}. See opbench-board --help\n`);
    return 1;
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`opbench-board: ${error.message}\n`);
    return 1;
  }
  if (!(error instanceof DomainError)) throw error;
  const { hint } = PROBLEMS[error.code];
  const faults = error.faults.map((fault) => `\n  ${placed(fault)}`).join('');
  process.stderr.write(`opbench-board: ${error.message}${faults}${hint ? `\n${hint}` : ''}\n`);
  return 3;
}

/** A fault, with the name of its place if it has one. */
function placed({ pointer, detail }: Fault): string {
  const place = pointer.slice(2);
  return place === '' ? detail : `${place}: ${detail}`;
}

/** The database's native code needs a newer Node than the one that may have started this file. */
function ensureNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const pinned = `../node_modules/node-${platform}-${process.arch}/bin/${name}`;
  const node = fileURLToPath(new URL(pinned, import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(`opbench-board needs Node 22.19 or later, not ${process.version}\n`);
    process.exit(1);
  }
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}
