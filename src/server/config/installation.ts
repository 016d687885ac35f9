/** Where the program is installed, and what kind of build it is. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './config-error.ts';

export type BuildKind = 'checkout' | 'container image' | 'npm package' | 'single file';

export interface Build {
  kind: BuildKind;
  /** The Git commit that it was built from; null if unknown. */
  commit: string | null;
}

/** The folder of the program, which contains `db/migrations`, above its sources or `dist`. */
export function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'db', 'migrations'))) {
    if (folder === dirname(folder))
      throw new ConfigError('The folder db/migrations is missing. Install Opbench again');
    folder = dirname(folder);
  }
  return folder;
}

/** Whether a folder of the program is a checkout, which an upgrade changes in place. No other build has this file. */
export function isCheckout(root: string): boolean {
  return existsSync(join(root, 'astro.config.mjs'));
}

/** The absolute path of a setting. Upgrades replace the folder of every build except a checkout. */
export function resolveSetting(path: string, root: string): string {
  return resolve(isCheckout(root) ? root : process.cwd(), path);
}

export function buildOf(root: string, isImage = process.env['OPBENCH_IMAGE'] === '1'): Build {
  return { kind: kindOf(root, isImage), commit: commitOf(root) };
}

function kindOf(root: string, isImage: boolean): BuildKind {
  // An image contains the single file.
  if (isImage) return 'container image';
  if (isSea()) return 'single file';
  return isCheckout(root) ? 'checkout' : 'npm package';
}

function commitOf(root: string): string | null {
  try {
    const text = readFileSync(join(root, 'dist', 'build.json'), 'utf8');
    const { commit } = JSON.parse(text) as { commit?: unknown };
    return typeof commit === 'string' ? commit : null;
  } catch {
    return null;
  }
}
