import { vi } from 'vitest';
import { perform, runProgram } from '#core/cli/program.ts';
import { type Command, terminalOf } from '#server/admin/command.ts';
import { PROGRAM } from '#server/admin/commands.ts';
import { settingsFor } from '#server/admin/settings.ts';
import type { PreparedResponse } from '../http/process.ts';

/** A setting that is undefined is not set. */
type Settings = Readonly<Record<string, string | undefined>>;

/** Runs `opbench-board` in this process with the given environment. */
export async function runAdmin(
  words: readonly string[],
  environment: Settings = {},
  program = PROGRAM,
): Promise<PreparedResponse> {
  const { streams, written } = recorded();
  try {
    setAll(environment);
    return { status: await runProgram(program, words, terminalOf(streams)), ...written };
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Runs one synchronous command and returns its stdout and stderr. */
export function callAdmin(
  command: Command,
  words: readonly string[],
  environment: Settings = {},
): [stdout: string, stderr: string] {
  const { streams, written } = recorded();
  try {
    setAll(environment);
    const [, name = ''] = command.help.split(/[ :]/);
    void perform({ name, command, args: words }, terminalOf(streams), settingsFor(name, true, {}));
    return [written.stdout, written.stderr];
  } finally {
    vi.unstubAllEnvs();
  }
}

function setAll(environment: Settings): void {
  // Vite sets a BASE_URL that is not an origin.
  const settings = { BASE_URL: undefined, ...environment };
  Object.entries(settings).forEach(([name, value]) => vi.stubEnv(name, value));
}

function recorded() {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
      return true;
    },
  });
  return { written, streams: { stdout: stream('stdout'), stderr: stream('stderr') } };
}
