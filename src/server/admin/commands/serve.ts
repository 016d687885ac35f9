import { UsageError } from '#core/cli/arguments.ts';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { type Environment, readConfig } from '#server/config/config.ts';
import { type AdminExitCode, EXIT, command } from '../command.ts';

export const serve = command({
  help: `opbench-board serve: run the board

Usage: opbench-board serve [--env-file FILE]

  --env-file FILE  a file with settings; the environment takes precedence

The board listens on HOST and PORT and stores its data in DATA_DIR. It logs to
stderr, one JSON object on each line. Stop it with SIGTERM or Ctrl+C: it finishes
requests in progress, within 10 seconds, and exits with 0.

Example: PORT=8080 DATA_DIR=/srv/opbench opbench-board serve
`,
  isMute: true,
  async run(_given, _output, { environment }) {
    return runServer(readConfig(environment).root, environment);
  },
});

/** Becomes the server. */
export async function runServer(root: string, environment: Environment): Promise<AdminExitCode> {
  const entry = join(root, 'dist', 'server', 'entry.mjs');
  if (!existsSync(entry)) throw new UsageError('The board is not built. Build it: npm start');
  // The server reads its settings from there.
  Object.assign(process.env, environment);
  // From here on, the server handles signals, both streams and the exit code.
  await import(pathToFileURL(entry).href);
  return EXIT.ok;
}
