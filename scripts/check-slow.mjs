// What takes too long for every change: hundreds of crash rounds, thousands of requests and operators, every
// page in every state, and what Lighthouse says (scripts/lighthouse.mjs).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runTests } from './run.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

ensureNode();
await build();
const more = process.argv.slice(2);
const tests = await runTests(['slow'], { more, isShown: true });
// Who asks for some tests only wants no more than those.
const isWhole = more.length === 0;
process.exit(Math.max(tests.status, isWhole ? askLighthouse() : 0));

function askLighthouse() {
  const script = join(ROOT, 'scripts', 'lighthouse.mjs');
  return spawnSync(childNode(), [script], { stdio: 'inherit' }).status ?? 1;
}
