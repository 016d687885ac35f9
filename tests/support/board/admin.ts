import { vi } from 'vitest';
import { type Command, outputTo } from '#server/admin/command.ts';
import { runCommand } from '#server/admin/program.ts';
import type { Finished } from '../http/process.ts';

type Settings = Readonly<Record<string, string>>;

/** Runs `opbench-board` in this process, with the environment that is given, to its end. */
export async function runKeeper(
  words: readonly string[],
  environment: Settings = {},
): Promise<Finished> {
  const { streams, written } = recorded();
  try {
    setAll(environment);
    return { status: await runCommand(words, streams), ...written };
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Runs one command that does not wait for anything; returns what it prints on stdout, and on stderr. */
export function callKeeper(
  command: Command,
  words: readonly string[],
  environment: Settings = {},
): [stdout: string, stderr: string] {
  const { streams, written } = recorded();
  const args = words.filter((word) => word !== '--json');
  try {
    setAll(environment);
    void command.run(args, outputTo(streams, args.length < words.length));
    return [written.stdout, written.stderr];
  } finally {
    vi.unstubAllEnvs();
  }
}

function setAll(environment: Settings): void {
  // Vite sets one that is no origin.
  const settings = { BASE_URL: '', ...environment };
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
