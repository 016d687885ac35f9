import { UsageError } from '#core/cli/arguments.ts';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { readConfig } from '#server/config/config.ts';
import { EXIT, command } from '../command.ts';

export const serve = command({
  help: `opbench-board serve: runs the board until it is told to stop (SIGTERM, or ctrl-C),
and then ends with 0 once what is under way is finished. It listens on HOST and
PORT, and keeps all that it stores in DATA_DIR. Its log is on stderr, one JSON
object a line.

Example: PORT=8080 DATA_DIR=/srv/opbench opbench-board serve

It has no result that could be printed as JSON.
`,
  isMute: true,
  async run() {
    const entry = join(readConfig(process.env).root, 'dist', 'server', 'entry.mjs');
    if (!existsSync(entry)) throw new UsageError('The board is not built: run npm start once');
    // It is the server from here on: signals, both streams and the exit code are its own.
    await import(pathToFileURL(entry).href);
    return EXIT.ok;
  },
});
