/** Downloads a release next to the running executable, verifies it, and renames it over the executable. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, renameSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import {
  removeStaleTemporaryFiles,
  syncFolder,
  temporaryPathOf,
} from '#server/process/atomic-file.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { EXIT } from '../command.ts';
import { stoppable } from '../stoppable.ts';
import { HEAD_BYTES } from './executable-format.ts';
import { wrongDigest } from './find-release.ts';
import { type ReleaseSource, limited } from './release-source.ts';
import type { Release } from './releases.ts';
import { UpgradeError, refused } from './upgrade-error.ts';

/** More than any build has. */
const EXECUTABLE_BYTES = 512 * 1024 * 1024;
/** Time for the whole download, in milliseconds. */
const DOWNLOAD_MS = 60 * 60 * 1000;
/** Time for the new executable to print its version, in milliseconds. */
const START_MS = 60_000;

export interface Replacement {
  source: ReleaseSource;
  release: Release;
  /** The path of the running executable. */
  executable: string;
  platformOf(head: Buffer): string | null;
  /** Called after each chunk. `total` is null if the size is unknown. */
  onProgress(bytes: number, total: number | null): void;
}

/**
 * Until the last step, a failure leaves the old executable as it is. Renaming is that step, so a crash leaves either
 * the old or the new one, and at most a temporary file, which the next upgrade removes.
 *
 * @throws {UpgradeError}
 */
export async function replaceExecutable(replacement: Replacement): Promise<void> {
  const { executable, release } = replacement;
  const draft = temporaryPathOf(executable);
  await stoppable(draft, async () => {
    try {
      removeStaleTemporaryFiles(executable);
      await write(draft, replacement);
      await refuseUnstartable(draft, release);
      renameSync(draft, executable);
      syncFolder(dirname(executable));
    } catch (error) {
      throw inWords(dirname(executable), error);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** Writes a file that nobody can execute until it is verified. */
async function write(draft: string, replacement: Replacement): Promise<void> {
  const { executable, release, platformOf } = replacement;
  await using file = await open(draft, 'wx+', 0o600);
  if ((await download(file, replacement)) !== release.digest) throw wrongDigest(release.file);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const platform = platformOf(buffer.subarray(0, bytesRead));
  if (platform !== release.platform) {
    throw refused(
      `${release.file} is ${platform === null ? 'not an executable' : `an executable for ${platform}`}, not one for ${release.platform}. Report it to the publisher`,
    );
  }
  const { uid, gid, mode } = statSync(executable);
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & 0o7777);
  await file.sync();
}

/** Returns the SHA-256 of what it wrote, in hexadecimal. */
async function download(file: FileHandle, replacement: Replacement): Promise<string> {
  const { source, release, onProgress } = replacement;
  const found = await source.open(release.file, DOWNLOAD_MS);
  if (found === null) {
    throw refused(
      `${release.file} is missing in ${source.shown}. Report it to the publisher, and run the command again later`,
    );
  }
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of limited(release.file, found.chunks, EXECUTABLE_BYTES)) {
    hash.update(chunk);
    await file.writeFile(chunk);
    onProgress((bytes += chunk.length), found.bytes);
  }
  return hash.digest('hex');
}

/** @throws {UpgradeError} unless the executable starts on this machine and prints its version. */
async function refuseUnstartable(draft: string, { file, version }: Release): Promise<void> {
  const running = promisify(execFile)(draft, ['--version'], { timeout: START_MS });
  const { stdout } = await running.catch((error: Error & { stderr?: string }) => {
    const [reason] = (error.stderr?.trim() || error.message).split('\n').slice(-1);
    throw refused(
      `${file} does not start on this machine: ${reason}. The running version stays. Report it to the publisher`,
    );
  });
  if (stdout.split(/[\s,;()]+/).includes(version)) return;
  throw refused(`${file} is another version than its name says. Report it to the publisher`);
}

const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS'];

/** Explains errors of the disk. Others remain as they are. */
function inWords(folder: string, error: unknown): unknown {
  if (error instanceof UpgradeError) return error;
  const disk = (message: string) => new UpgradeError(EXIT.storage, message, error);
  if (NOT_ALLOWED.includes(String((error as NodeJS.ErrnoException).code))) {
    return disk(
      `The executable in ${folder} cannot be replaced (${(error as Error).message}). Run the command as root, and check that the disk is not mounted read-only`,
    );
  }
  if (storageFaultOf(error) !== 'full') return error;
  return disk(`The disk of ${folder} is full. Free some space, then run the command again`);
}
