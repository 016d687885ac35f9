import type { Command, Output } from './command.ts';
import type { Place } from './device.ts';
import type { ExitCode } from './failure.ts';

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

/** A command that speaks to boards, or uses a key. */
function atBoards(words: Words, load: () => Promise<Command>): Entry {
  return {
    ...words,
    load,
    async run(place, args, output) {
      const { deviceAt } = await import('./device-at.ts');
      return (await load()).run(deviceAt(place), args, output);
    },
  };
}

export const COMMANDS: Readonly<Record<string, Entry>> = {
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
  status: atBoards(
    { summary: 'where you stand' },
    async () => (await import('./commands/status.ts')).status,
  ),
  improve: atBoards(
    { summary: 'where you lose yield, by your own days' },
    async () => (await import('./commands/improve.ts')).improve,
  ),
  verify: atBoards(
    { usage: 'verify FILE|URL', summary: "check a board's public log, and recompute the board" },
    async () => (await import('./commands/verify.ts')).verify,
  ),
  logout: atBoards(
    { summary: "revoke this device's key and erase it" },
    async () => (await import('./commands/logout.ts')).logout,
  ),
};

/** What `opbench` says of itself. */
export function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { usage = name, summary }]) => {
    return `  opbench ${usage.padEnd(24)} ${summary}`;
  });
  return `opbench: honest metrics from your assistants' token logs

${rows.join('\n')}

Every command takes --help and --json. Only daily token counts by provider, model
and tool ever leave this device; "opbench submit --dry-run" prints the exact bytes.

Exit codes: 0 done, 1 usage, 2 not enrolled, 3 refused by the board, 4 network,
5 partly done.
`;
}
