// Runs the server, after building it if sources changed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT, ensureNode, stopWithParent } from './runtime.mjs';

const parent = process.ppid;
await ensureNode();
await build();
await import(pathToFileURL(join(ROOT, 'dist', 'server', 'entry.mjs')).href);
// From here on, the server handles signals.
stopWithParent(parent);
