// Runs opbench-board from a checkout, after building it if sources changed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT, ensureNode, stopWithParent } from './runtime.mjs';

const parent = process.ppid;
await ensureNode();
await build();
await import(pathToFileURL(join(ROOT, 'dist', 'opbench-board.mjs')).href);
// Other commands end by themselves.
if (process.argv.includes('serve')) stopWithParent(parent);
