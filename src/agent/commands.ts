/** The commands of `opbench`. Each one is loaded when it is used. */
import { UsageError } from '#core/cli/arguments.ts';
import type { Program } from '#core/cli/program.ts';
import { VERSION } from '#core/cli/version.ts';
import { type CommandName, SUMMARIES } from './command-names.ts';
import { type AgentCommand, type Screen, usageFailure } from './command.ts';
import type { Place } from './device.ts';
import { EXIT, Failure, orNull } from './failure.ts';
import { aliasOf, installedCommand, isOnPath } from './state/copy.ts';
import { failureLines } from './text/failure.ts';
import { HOME_BOARD } from './version.ts';

export const COMMANDS: Readonly<Record<CommandName, () => Promise<AgentCommand>>> = {
  scan: async () => (await import('./commands/scan.ts')).scan,
  report: async () => (await import('./commands/report.ts')).report,
  enroll: async () => (await import('./commands/enroll.ts')).enroll,
  submit: async () => (await import('./commands/submit.ts')).submit,
  withdraw: async () => (await import('./commands/withdraw.ts')).withdraw,
  status: async () => (await import('./commands/status.ts')).status,
  peers: async () => (await import('./commands/peers.ts')).peers,
  improve: async () => (await import('./commands/improve.ts')).improve,
  board: async () => (await import('./commands/board.ts')).board,
  record: async () => (await import('./commands/record.ts')).record,
  verify: async () => (await import('./commands/verify.ts')).verify,
  statusline: async () => (await import('./commands/statusline.ts')).statusline,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  auto: async () => (await import('./commands/auto.ts')).auto,
  config: async () => (await import('./commands/config.ts')).config,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  completion: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  update: async () => (await import('./commands/update.ts')).update,
  logout: async () => (await import('./commands/logout.ts')).logout,
};

/** Commands that need no key and no board, or create their device themselves. */
const AT_NO_BOARD = ['completion', 'config', 'mcp', 'record', 'scan', 'statusline'];

export function programAt(place: Place): Program<Place, Screen> {
  return {
    version: VERSION,
    overview: () => overview(copyCommand(place)),
    commands: COMMANDS,
    async contextOf(name, [action]) {
      if (AT_NO_BOARD.includes(name)) return place;
      const { deviceAt } = await import('./device-at.ts');
      return deviceAt(place, { starter: name === 'auto' && action === 'run' ? 'timer' : null });
    },
    explain,
  };
}

/** Null if `opbench` can be typed, or if the home folder is unknown. */
function copyCommand({ environment }: Place): string | null {
  return isOnPath(environment) ? null : orNull(() => installedCommand(environment));
}

/**
 * The text of `opbench --help`. It fits a terminal of 80 columns and about 24 rows.
 *
 * @param command How to run the saved copy of this program; null to leave it out.
 */
export function overview(command: string | null): string {
  const rows = Object.values(SUMMARIES).map(([usage, summary]) => {
    return `  ${usage.padEnd(16)} ${summary}`;
  });
  const alias = command === null ? '' : `To type just "opbench": ${aliasOf(command)}\n`;
  const docs = HOME_BOARD === null ? '' : `Docs: ${HOME_BOARD}/docs/join\n`;
  return `opbench: submit your AI assistants' daily token counts, and see your rank
${rows.join('\n')}

For options and an example: opbench COMMAND --help (with --json: its JSON shape)
Only daily token counts and hashes leave this device: opbench submit --dry-run
Exit codes: 0 done, 1 usage, 2 not enrolled, 3 rejected, 4 network, 5 partial
${alias}${docs}`;
}

function explain(error: unknown, name: string, { note }: Screen): number {
  const failure = error instanceof UsageError ? usageFailure(error, name) : error;
  if (failure instanceof Failure) {
    failureLines(failure).forEach(note);
    return failure.exitCode;
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  note(`opbench: internal error. Please report it to the admin of the board:\n${cause}`);
  return EXIT.usage;
}
