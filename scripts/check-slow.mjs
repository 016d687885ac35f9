// Tests that take too long for every change: hundreds of crashes, thousands of requests and operators, every page in
// every state, Lighthouse (scripts/lighthouse.mjs) and two minutes of mixed load (scripts/soak.mjs). Run the full half
// hour of scripts/soak.mjs, which checks for memory growth, by hand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runTests } from './run.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

await ensureNode();
await build();
const more = process.argv.slice(2);
const tests = await runTests(['slow'], { more, isShown: true });
// With arguments, only the named tests run.
const isWhole = more.length === 0;
const others = isWhole ? [run('lighthouse.mjs'), run('soak.mjs', '--minutes', '2')] : [];
process.exit(Math.max(tests.status, ...others));

function run(name, ...words) {
  const script = join(ROOT, 'scripts', name);
  return spawnSync(childNode(), [script, ...words], { stdio: 'inherit' }).status ?? 1;
}
