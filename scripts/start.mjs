// Builds if sources changed, then becomes the server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

ensureNode();
await build();
stopWithParent();
await import(pathToFileURL(join(ROOT, 'dist', 'server', 'entry.mjs')).href);

/** A shell between npm and this process may die of a signal without passing it on. */
function stopWithParent() {
  if (!process.env['npm_execpath']) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
