/** The commands of `opbench`; what each does is loaded when it is typed. */
import { UsageError } from '#core/cli/arguments.ts';
import type { Program } from '#core/cli/program.ts';
import { VERSION } from '#core/cli/version.ts';
import { type CommandName, SUMMARIES } from './command-names.ts';
import { type AgentCommand, type Screen, usageFailure } from './command.ts';
import type { Place } from './device.ts';
import { EXIT, Failure } from './failure.ts';
import { installedCommand } from './state/copy.ts';
import { failureLines } from './text/failure.ts';

export const COMMANDS: Readonly<Record<CommandName, () => Promise<AgentCommand>>> = {
  scan: async () => (await import('./commands/scan.ts')).scan,
  enroll: async () => (await import('./commands/enroll.ts')).enroll,
  submit: async () => (await import('./commands/submit.ts')).submit,
  withdraw: async () => (await import('./commands/withdraw.ts')).withdraw,
  status: async () => (await import('./commands/status.ts')).status,
  peers: async () => (await import('./commands/peers.ts')).peers,
  improve: async () => (await import('./commands/improve.ts')).improve,
  board: async () => (await import('./commands/board.ts')).board,
  record: async () => (await import('./commands/record.ts')).record,
  verify: async () => (await import('./commands/verify.ts')).verify,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  auto: async () => (await import('./commands/auto.ts')).auto,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  update: async () => (await import('./commands/update.ts')).update,
  logout: async () => (await import('./commands/logout.ts')).logout,
};

/** Commands that need neither key nor board, or make their device themselves. */
const AT_NO_BOARD = ['mcp', 'record', 'scan'];

export function programAt(place: Place): Program<Place, Screen> {
  return {
    version: VERSION,
    overview: () => overview(installedCommand(place.environment)),
    commands: COMMANDS,
    async contextOf(name, [action]) {
      if (AT_NO_BOARD.includes(name)) return place;
      const { deviceAt } = await import('./device-at.ts');
      return deviceAt(place, { starter: name === 'auto' && action === 'run' ? 'timer' : null });
    },
    explain,
  };
}

/**
 * What `opbench` says of itself.
 *
 * @param command How the copy of this program is run.
 */
export function overview(command: string): string {
  const rows = Object.values(SUMMARIES).map(([usage, summary]) => {
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

function explain(error: unknown, name: string, { note }: Screen): number {
  const failure = error instanceof UsageError ? usageFailure(error, name) : error;
  if (failure instanceof Failure) {
    failureLines(failure).forEach(note);
    return failure.exitCode;
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  note(`opbench: this is a fault of opbench itself\n${cause}`);
  return EXIT.usage;
}
