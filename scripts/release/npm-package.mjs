import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { programFiles } from './files.mjs';
import { tarOf } from './tar.mjs';

/** The time that npm gives every file of a package. Zip tools cannot represent earlier ones. */
const MTIME = new Date('1985-10-26T08:15:00Z');

/** Writes the npm package: the built program, and a manifest that pins the packages with native code. */
export async function writeNpmPackage(path) {
  const readme = { path: 'README.md', mode: 0o644, bytes: Buffer.from(README) };
  const files = [...programFiles(), readme].filter((file) => !file.path.endsWith('.map'));
  const tar = await tarOf(files, { prefix: 'package/', mtime: MTIME });
  writeFileSync(path, gzipSync(tar, { level: 9 }));
}

const README = `# Opbench

A self-hosted, honest leaderboard for people who work with AI assistants. Run a board with:

    opbench-board serve

It answers on http://127.0.0.1:4321 and needs Node.js 22.19 or later. \`opbench-board --help\` lists all commands. Every board
serves the documentation at /docs.
`;
