/** Files of the index: whole, unharmed and of this very form, or as good as absent. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The form of the index: another one is made anew. */
const FORM = 'opbench-logs 1';

/** After this time a draft belongs to a process that is gone. */
const DRAFT_MS = 60 * 60 * 1000;

/** What a file says that was written under this label; null if there is no such file. */
export function readSealed(path: string, label: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    return text.slice(0, end) === sealOf(label, body) ? body : null;
  } catch {
    return null;
  }
}

/**
 * Writes a file, for its owner only. Whoever reads meanwhile sees the old file or the new one.
 *
 * @throws {Error} if it cannot be written.
 */
export function writeSealed(path: string, label: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeFileSync(draft, `${sealOf(label, body)}\n${body}`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Removes what processes left behind that were stopped while they wrote. */
export function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.tmp'))) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > DRAFT_MS) rmSync(path, { force: true });
  }
}

function sealOf(label: string, body: string): string {
  return `${FORM} ${label} ${createHash('sha256').update(body).digest('base64url')}`;
}
