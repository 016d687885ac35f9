// What takes too long for every change: hundreds of crash rounds, thousands of requests and operators, every
// page in every state, what Lighthouse says (scripts/lighthouse.mjs), and two minutes of everything at once
// (scripts/soak.mjs, whose half an hour, which tells whether memory grows, is run by hand).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runTests } from './run.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

await ensureNode();
await build();
const more = process.argv.slice(2);
const tests = await runTests(['slow'], { more, isShown: true });
// Who asks for some tests only wants no more than those.
const isWhole = more.length === 0;
const others = isWhole ? [run('lighthouse.mjs'), run('soak.mjs', '--minutes', '2')] : [];
process.exit(Math.max(tests.status, ...others));

function run(name, ...words) {
  const script = join(ROOT, 'scripts', name);
  return spawnSync(childNode(), [script, ...words], { stdio: 'inherit' }).status ?? 1;
}
