/** What makes files last through a loss of power. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes what was written into a file last. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder last, where the platform can: Windows and some network file systems sync none. */
export function syncFolder(path: string): void {
  let folder: number | null = null;
  try {
    folder = openSync(path, 'r');
    fsyncSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'].includes(code)) throw error;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}
