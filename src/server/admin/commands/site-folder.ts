/** Writes a static site into a folder, and replaces the files of an earlier run. */
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

/** Lists the files that an earlier run wrote into the folder. */
const MANIFEST = 'opbench-satellite.json';
/** A relative path without `..` or hidden names. */
const PLAIN_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/**
 * Writes all files. The last one must be the page that refers to the others, so that visitors get the earlier site or
 * the new one, never a page whose files are missing. Files that an earlier run did not write stay.
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
    // First, so that the next run knows the files of a run that was interrupted.
    writeManifest(folder, [...new Set([...earlier, ...paths])]);
    files.forEach(({ path, bytes }) => replace(join(folder, path), bytes));
    const stale = earlier.filter((path) => !paths.includes(path));
    stale.forEach((path) => rmSync(join(folder, path), { force: true }));
    writeManifest(folder, paths);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** The files that an earlier run wrote; none if the folder is empty or missing. */
function earlierFiles(folder: string): string[] {
  if (!entryAt(folder)) return [];
  if (!statSync(folder).isDirectory())
    throw new UsageError(`${folder} is a file, not a folder. Choose another path`);
  if (readdirSync(folder).length === 0) return [];
  if (entryAt(join(folder, MANIFEST))?.isFile()) return readManifest(join(folder, MANIFEST));
  throw new UsageError(
    `${folder} is not empty and was not written by this command. Choose a new or an empty folder`,
  );
}

function readManifest(path: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: string[] };
    if (files.every((each) => PLAIN_PATH.test(each))) return files;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new UsageError(`${path} is damaged. Choose a new or an empty folder`);
}

/** @throws {UsageError} if a file would replace one that an earlier run did not write. */
function refuseForeign(folder: string, paths: readonly string[], earlier: readonly string[]): void {
  const foreign = paths.filter((path) => !earlier.includes(path) && entryAt(join(folder, path)));
  if (foreign.length === 0) return;
  throw new UsageError(
    `${foreign.map((path) => join(folder, path)).join(' and ')}: not written by this command. Move it away, or choose another folder. Nothing was written`,
  );
}

/** @throws {UsageError} if a path goes through a link, or a folder has the name of a file or the reverse. */
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
    `${named}: a link, or a folder in place of a file. Remove it, or choose another folder. Nothing was written`,
  );
}

/** The entry itself; links are not followed. */
function entryAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function writeManifest(folder: string, paths: readonly string[]): void {
  const text = `${JSON.stringify({ files: [...paths].sort() }, null, 2)}\n`;
  replace(join(folder, MANIFEST), Buffer.from(text));
}

/** Replaces a file atomically: readers get the earlier content or the new one. */
function replace(path: string, bytes: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  makeFolder(dirname(path));
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
