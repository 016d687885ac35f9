import { COMMAND_NAMES, type CommandName } from './command-names.ts';
import type { Command, Output } from './command.ts';
import type { Place } from './device.ts';
import type { ExitCode } from './failure.ts';
import type { Starter } from './kept/kept-proxy.ts';

/** A word after `opbench`; what it does is loaded when it is typed. */
export interface Entry {
  /** What it does, in one line of the overview. */
  summary: string;
  /** How it is typed, where that is more than its name. */
  usage?: string;
  load(): Promise<Command>;
  /** Does it on this machine. */
  run(place: Place, args: string[], output: Output): Promise<ExitCode>;
}

type Words = Pick<Entry, 'summary' | 'usage'>;

/** A command that needs neither key nor board. */
function here(words: Words, load: () => Promise<Command<Place>>): Entry {
  return {
    ...words,
    load,
    run: async (place, args, output) => (await load()).run(place, args, output),
  };
}

/**
 * A command that speaks to boards, or uses a key.
 *
 * @param starterOf Who starts it with these arguments, if that is not a shell.
 */
function atBoards(
  words: Words,
  load: () => Promise<Command>,
  starterOf: (args: string[]) => Starter | null = () => null,
): Entry {
  return {
    ...words,
    load,
    async run(place, args, output) {
      const { deviceAt } = await import('./device-at.ts');
      return (await load()).run(deviceAt(place, { starter: starterOf(args) }), args, output);
    },
  };
}

export const COMMANDS: Readonly<Record<CommandName, Entry>> = {
  scan: here(
    { summary: 'what the logs on this device add up to' },
    async () => (await import('./commands/scan.ts')).scan,
  ),
  enroll: atBoards(
    { usage: 'enroll CODE', summary: 'bind this device to your account on a board' },
    async () => (await import('./commands/enroll.ts')).enroll,
  ),
  submit: atBoards(
    { summary: 'sign and send what the board does not have yet' },
    async () => (await import('./commands/submit.ts')).submit,
  ),
  withdraw: atBoards(
    { usage: 'withdraw ID [--undo]', summary: 'withdraw a submission, or undo that' },
    async () => (await import('./commands/withdraw.ts')).withdraw,
  ),
  status: atBoards(
    { summary: 'where you stand' },
    async () => (await import('./commands/status.ts')).status,
  ),
  peers: atBoards(
    { summary: 'whom you can be compared with, and learn from' },
    async () => (await import('./commands/peers.ts')).peers,
  ),
  improve: atBoards(
    { summary: 'where you lose yield, by your own days' },
    async () => (await import('./commands/improve.ts')).improve,
  ),
  board: atBoards(
    { summary: 'the top of the board, and your row on it' },
    async () => (await import('./commands/board.ts')).board,
  ),
  record: here(
    { usage: 'record COUNTS|--window', summary: 'the Operator Record of counts, or of a window' },
    async () => (await import('./commands/record.ts')).record,
  ),
  verify: atBoards(
    { usage: 'verify FILE|URL', summary: 'check a public log, and recompute its board' },
    async () => (await import('./commands/verify.ts')).verify,
  ),
  doctor: atBoards(
    { summary: 'what works here, what does not, and what to do' },
    async () => (await import('./commands/doctor.ts')).doctor,
  ),
  auto: atBoards(
    { usage: 'auto on|off|status', summary: 'submit every 6 hours' },
    async () => (await import('./commands/auto.ts')).auto,
    ([action]) => (action === 'run' ? 'timer' : null),
  ),
  mcp: here(
    { usage: 'mcp [install|config]', summary: 'the loop as tools for agents, over stdio' },
    async () => (await import('./commands/mcp.ts')).mcp,
  ),
  update: atBoards(
    { summary: 'take the newest opbench from a board' },
    async () => (await import('./commands/update.ts')).update,
  ),
  logout: atBoards(
    { summary: "revoke this device's key and erase it" },
    async () => (await import('./commands/logout.ts')).logout,
  ),
};

/**
 * What `opbench` says of itself.
 *
 * @param command How the copy of this program is run.
 */
export function overview(command: string): string {
  const rows = COMMAND_NAMES.map((name) => {
    const { usage = name, summary } = COMMANDS[name];
    return `  opbench ${usage.padEnd(23)} ${summary}`;
  });
  return `opbench: honest metrics from your assistants' token logs

${rows.join('\n')}

Every command takes --help, and --json where it has a result. Only daily token
counts by provider, model and tool, each with a fingerprint of its responses,
ever leave this device: "opbench submit --dry-run" prints the exact bytes.

"opbench enroll" keeps a copy of this program, which Node.js runs. So that
"opbench" runs it in your shell:
  alias opbench='${command}'

Boards are reached through the proxy in HTTPS_PROXY or ALL_PROXY, but for hosts
in NO_PROXY.

Exit codes: 0 done, 1 usage, 2 not enrolled, 3 refused by the board, 4 network,
5 partly done.
`;
}
