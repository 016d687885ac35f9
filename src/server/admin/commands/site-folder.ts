/** A folder that the admin's command writes a site into, and writes anew when it is asked again. */
import { UsageError } from '#core/cli/arguments.ts';
import {
  type Stats,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { unwritable } from '#server/process/storage-fault.ts';

/** What a folder says that an earlier writing left in it. */
const MANIFEST = 'opbench-satellite.json';
/** A path that leads nowhere but down. */
const PLAIN_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/**
 * Writes all files, the last of which is the page that names the others. Whoever visits the folder
 * meanwhile finds the earlier site or this one, never a page whose files are missing; other people's files in it stay.
 *
 * @throws {UsageError} if the folder holds something else.
 * @throws {UnwritableError} if it cannot be written.
 */
export function writeSite(folder: string, files: readonly { path: string; bytes: Buffer }[]): void {
  try {
    const earlier = earlierFiles(folder);
    const paths = files.map(({ path }) => path);
    refuseForeign(folder, paths, earlier);
    refuseDetours(folder, [...earlier, ...paths]);
    makeFolder(folder);
    // Told first, so that what a writing that is cut short left is known to the next.
    writeManifest(folder, [...new Set([...earlier, ...paths])]);
    files.forEach(({ path, bytes }) => replace(join(folder, path), bytes));
    const stale = earlier.filter((path) => !paths.includes(path));
    stale.forEach((path) => rmSync(join(folder, path), { force: true }));
    writeManifest(folder, paths);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** The files that an earlier writing left; none if the folder is empty or not there. */
function earlierFiles(folder: string): string[] {
  if (!entryAt(folder)) return [];
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file, and no folder`);
  if (readdirSync(folder).length === 0) return [];
  if (entryAt(join(folder, MANIFEST))?.isFile()) return readManifest(join(folder, MANIFEST));
  throw new UsageError(
    `${folder} is not empty, and holds no earlier companion site: name a new or an empty folder`,
  );
}

function readManifest(path: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: string[] };
    if (files.every((each) => PLAIN_PATH.test(each))) return files;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new UsageError(`${path} is damaged: name a new or an empty folder`);
}

/** What somebody else put there stays, also where a file of ours should stand. */
function refuseForeign(folder: string, paths: readonly string[], earlier: readonly string[]): void {
  const foreign = paths.filter((path) => !earlier.includes(path) && entryAt(join(folder, path)));
  if (foreign.length === 0) return;
  throw new UsageError(
    `left as it is, and nothing written: ${foreign.map((path) => join(folder, path)).join(' and ')}`,
  );
}

/**
 * What a link leads to, inside the folder or out of it, is not the site's, and neither is a folder where one of its
 * files should be.
 */
function refuseDetours(folder: string, paths: readonly string[]): void {
  const above = paths.flatMap((path) => {
    const names = path.split('/').slice(0, -1);
    return names.map((_, at) => names.slice(0, at + 1).join('/'));
  });
  const isOdd = (path: string, isKind: (entry: Stats) => boolean) => {
    const entry = entryAt(join(folder, path));
    return entry !== undefined && !isKind(entry);
  };
  const odd = new Set([
    ...above.filter((path) => isOdd(path, (entry) => entry.isDirectory())),
    ...paths.filter((path) => isOdd(path, (entry) => entry.isFile())),
  ]);
  if (odd.size === 0) return;
  const named = [...odd].map((path) => join(folder, path)).join(' and ');
  throw new UsageError(
    `${named}: no plain file or folder of the companion site, so nothing was written`,
  );
}

/** What stands there itself, and not where a link leads. */
function entryAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function writeManifest(folder: string, paths: readonly string[]): void {
  const text = `${JSON.stringify({ files: [...paths].sort() }, null, 2)}\n`;
  replace(join(folder, MANIFEST), Buffer.from(text));
}

/** Whoever reads the file meanwhile reads the earlier one or this one, whole. */
function replace(path: string, bytes: Buffer): void {
  const draft = `${path}.${process.pid}.tmp`;
  makeFolder(dirname(path));
  try {
    writeFileSync(draft, bytes, { flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
