// What takes too long for every change: hundreds of crash rounds, thousands of requests and operators.
import { build } from './build.mjs';
import { runTests } from './run.mjs';
import { ensureNode } from './runtime.mjs';

ensureNode();
await build();
const { status } = await runTests(['slow'], { more: process.argv.slice(2), isShown: true });
process.exit(status);
