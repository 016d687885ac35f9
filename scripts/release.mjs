import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, ensureNode } from './runtime.mjs';
await ensureNode();
await build();
const { writeExecutable } = await import('./release/executable.mjs');
const { NAME, version } = await import('./release/files.mjs');
const folder = join(ROOT, 'dist', 'release');
mkdirSync(folder, { recursive: true });
for (const platform of ['linux-x64', 'linux-arm64']) {
  const path = join(folder, `${NAME}-${version}-${platform}`);
  await writeExecutable(path, platform);
  console.log(path, statSync(path).size);
}
