// The admin's command from a checkout: builds if sources changed, then becomes dist/opbench-board.mjs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT, ensureNode, stopWithParent } from './runtime.mjs';

const parent = process.ppid;
await ensureNode();
await build();
await import(pathToFileURL(join(ROOT, 'dist', 'opbench-board.mjs')).href);
// A command of any other kind ends by itself.
if (process.argv[2] === 'serve') stopWithParent(parent);
