// Builds a release in dist/release. The same commit always gives the same bytes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

await ensureNode();
await build();

const { NAME, version } = await import('./release/files.mjs');
const { writeExecutable } = await import('./release/executable.mjs');
const { writeImage } = await import('./release/image.mjs');
const { writeNpmPackage } = await import('./release/npm-package.mjs');
const { writeBillOfMaterials, writeNotes, writeSums } = await import('./release/documents.mjs');

const PLATFORMS = ['linux-x64', 'linux-arm64'];
const folder = join(ROOT, 'dist', 'release');
const created = commitTime();

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await write(`${NAME}-${version}.tgz`, writeNpmPackage);
for (const platform of PLATFORMS) {
  await write(`${NAME}-${version}-${platform}`, (path) => writeExecutable(path, platform));
}
const platform = `${process.platform}-${process.arch}`;
if (PLATFORMS.includes(platform)) {
  const executable = join(folder, `${NAME}-${version}-${platform}`);
  const image = { executable, platform, created };
  await write(`${NAME}-${version}-${platform}-image.tar`, (path) => writeImage(path, image));
}
await write('sbom.cdx.json', (path) => writeBillOfMaterials(path, created));
await write('RELEASE_NOTES.md', writeNotes);
writeSums(folder);
console.log(`The release is in ${folder}`);

async function write(name, make) {
  const path = join(folder, name);
  await make(path);
  console.log(`${name}: ${(statSync(path).size / 1e6).toFixed(1)} MB`);
}

/** The time of the commit, because the current time would make each release different. */
function commitTime() {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return new Date(Number(process.env['SOURCE_DATE_EPOCH'] ?? stdout) * 1000);
}
