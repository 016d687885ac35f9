import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { findRoot } from '#server/config/config.ts';

/** How the program was built and installed. */
export type BuildKind = 'checkout' | 'container image' | 'npm package' | 'single file';

export function buildKind(): BuildKind {
  if (process.env['OPBENCH_IMAGE'] === '1') return 'container image';
  if (isSea()) return 'single file';
  return existsSync(join(findRoot(), 'scripts', 'build.mjs')) ? 'checkout' : 'npm package';
}
