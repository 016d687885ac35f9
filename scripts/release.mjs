// Builds a release in dist/release. The same commit always gives the same bytes.
//   npm run release                          all files
//   npm run release -- --image-only          only the image of this machine's architecture
//   npm run release -- --sums DIR            only the checksums of the files in a folder
//   npm run release -- --sign-with KEYFILE   also signs the checksums
//   npm run release -- --new-key KEYFILE     creates the key that signs releases, and nothing else
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { PUBLIC_KEY, createReleaseKey, signRelease } from './release/release-key.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

await ensureNode();
const { SUMS, writeBillOfMaterials, writeNotes, writeSums } =
  await import('./release/documents.mjs');
const { NAME, version } = await import('./release/files.mjs');

const PLATFORMS = ['linux-x64', 'linux-arm64'];
const here = `${process.platform}-${process.arch}`;
const FOLDER = join(ROOT, 'dist', 'release');

try {
  const { values } = parseArgs({
    options: {
      'image-only': { type: 'boolean', default: false },
      sums: { type: 'string' },
      'sign-with': { type: 'string' },
      'new-key': { type: 'string' },
    },
  });
  if (values['new-key'] === undefined) await release(values);
  else newKey(resolve(values['new-key']));
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exit(1);
}

function newKey(path) {
  createReleaseKey(path);
  console.log(
    `The secret key is in ${path}. Store it where only the publisher of releases can read it.`,
  );
  console.log(`The public key is in ${PUBLIC_KEY}. Commit it.`);
}

async function release({ sums, 'image-only': isImageOnly, 'sign-with': secretPath }) {
  const folder = sums === undefined ? FOLDER : resolve(sums);
  if (sums === undefined) await writeRelease(isImageOnly);
  if (isImageOnly) return;
  writeSums(folder);
  if (secretPath !== undefined) signRelease({ path: join(folder, SUMS), version, secretPath });
  console.log(`The release is in ${folder}`);
}

async function writeRelease(isImageOnly) {
  await build();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const created = commitTime();
  const { writeExecutable } = await import('./release/executable.mjs');
  if (!isImageOnly) await writeEverywhere(writeExecutable, created);
  if (!PLATFORMS.includes(here)) return;
  const executable = join(FOLDER, `${NAME}-${version}-${here}`);
  if (isImageOnly) await writeExecutable(executable, here);
  const { writeImage } = await import('./release/image.mjs');
  const image = { executable, platform: here, created };
  await write(`${NAME}-${version}-${here}-image.tar`, (path) => writeImage(path, image));
  if (isImageOnly) rmSync(executable);
}

/** Writes the files that any machine can build. */
async function writeEverywhere(writeExecutable, created) {
  const { writeNpmPackage } = await import('./release/npm-package.mjs');
  await write('RELEASE_NOTES.md', writeNotes);
  await write('sbom.cdx.json', (path) => writeBillOfMaterials(path, created));
  await write(`${NAME}-${version}.tgz`, writeNpmPackage);
  for (const platform of PLATFORMS) {
    await write(`${NAME}-${version}-${platform}`, (path) => writeExecutable(path, platform));
  }
}

async function write(name, make) {
  const path = join(FOLDER, name);
  await make(path);
  console.log(`${name}: ${(statSync(path).size / 1e6).toFixed(1)} MB`);
}

/** The time of the commit, because the current time would make each release different. */
function commitTime() {
  const words = ['log', '-1', '--format=%ct'];
  const { stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? stdout);
  if (seconds > 0) return new Date(seconds * 1000);
  throw new Error('The time of the commit is unknown. Set SOURCE_DATE_EPOCH to seconds since 1970');
}
