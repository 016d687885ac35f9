import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '#core/cli/version.ts';
import { findRoot } from '#server/config/installation.ts';
import { EXIT, command } from '../command.ts';
import { writeNewFiles } from '../new-files.ts';

export const deploy = command({
  help: `opbench-board deploy: write the files that run a board on a server

Usage: opbench-board deploy DIR [--json]

  DIR     the folder for the files; created if missing
  --json  print JSON

The files are systemd units for the board and a nightly backup, a file for the
settings, a Caddyfile, a compose.yaml, settings for Litestream, and alerts and a
dashboard for Prometheus and Grafana. deploy does not overwrite existing files.
/docs/run/install on every board explains where each file belongs.

Example: opbench-board deploy opbench-deploy
`,
  json: `opbench-board deploy --json prints one object:

  files  array of the paths of the files
`,
  word: 'DIR',
  keepsUser: true,
  run({ word }, output) {
    const folder = join(findRoot(), 'dist', 'deploy');
    const names = readdirSync(folder).sort();
    const files = writeNewFiles(
      word,
      names.map((name) => ({ name, content: contentOf(join(folder, name)) })),
    );
    output.result({ files }, files.join('\n'));
    return EXIT.ok;
  },
});

/** A file for this version of the program. */
function contentOf(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('@VERSION@', VERSION);
}
