/** Permissions of files, which Windows does not have. There, a user's folders are private. */
import { statSync } from 'node:fs';
import { expect } from 'vitest';

/** Whether the system refuses what a mode forbids. It never refuses root. */
export const ARE_MODES_ENFORCED = process.getuid !== undefined && process.getuid() !== 0;

export function expectMode(path: string, mode: number): void {
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(mode);
}
