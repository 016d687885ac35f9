// The keeper's command from a checkout: builds if sources changed, then runs dist/opbench-board.mjs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

ensureNode();
await build();
const command = join(ROOT, 'dist', 'opbench-board.mjs');
const { status } = spawnSync(childNode(), [command, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
