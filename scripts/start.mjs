// Builds if sources changed, then becomes the server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT, ensureNode, stopWithParent } from './runtime.mjs';

const parent = process.ppid;
await ensureNode();
await build();
await import(pathToFileURL(join(ROOT, 'dist', 'server', 'entry.mjs')).href);
// Its own way of ending is there from here on.
stopWithParent(parent);
