/** Changes from root to the user that owns a board. */
import { readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';

/** The user that this process became; null if it still is the one that started it. */
let owner: string | null = null;

/**
 * If root runs this process and another user owns the data folder, becomes that user, permanently. So no command leaves
 * files that the server cannot read or write.
 *
 * @throws {ConfigError} if that is not possible, or that user cannot read the program.
 */
export function becomeOwner(dataDir: string, root: string): void {
  if (process.getuid?.() !== 0) return;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found || found.uid === 0) return;
  const { uid, gid } = found;
  try {
    takeGroups(uid, gid);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new ConfigError(
      `The data folder ${dataDir} belongs to user ${uid}, but root cannot become that user here (${codeOf(error)}). Run the command as that user`,
    );
  }
  owner = nameOf(uid);
  refuseUnreadable(root);
}

/** Node has the function on every system with users, but its types lack it. */
interface WithGroups {
  initgroups?(user: number, group: number): void;
}

/** The groups of the user; if the system does not know the user, only the group of the folder. */
function takeGroups(uid: number, gid: number): void {
  try {
    (process as WithGroups).initgroups?.(uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'ERR_UNKNOWN_CREDENTIAL') throw error;
    process.setgroups?.([gid]);
  }
}

function nameOf(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return `with ID ${uid}`;
  }
}

/** Parts of the program are loaded later. */
function refuseUnreadable(root: string): void {
  try {
    readdirSync(join(root, 'db', 'migrations'));
  } catch (error) {
    throw new ConfigError(
      `The user ${owner}, who owns the data folder, cannot read the program in ${root} (${codeOf(error)}). Install it where all users can read it`,
    );
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Explains a missing permission, if this process is not root any more. Otherwise an empty string. */
export function ownerHint(error: unknown): string {
  if (owner === null || !(error instanceof Error)) return '';
  const codes = [error, error.cause].map(
    (each) => (each as NodeJS.ErrnoException | undefined)?.code,
  );
  if (!codes.some((code) => code === 'EACCES' || code === 'EPERM')) return '';
  return `. This command runs as the user ${owner}, who owns the data folder`;
}
