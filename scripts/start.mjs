// Runs the server, after building it if sources changed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { restartWithAllocator } from '../src/server/process/memory-settings.ts';
import { ROOT, childNode, ensureNode, stopWithParent } from './runtime.mjs';

const parent = process.ppid;
await ensureNode();
restartWithAllocator();
// In a process of its own, because the server would keep its memory.
const { status } = spawnSync(childNode(), [join(ROOT, 'scripts', 'build.mjs')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await import(pathToFileURL(join(ROOT, 'dist', 'server', 'entry.mjs')).href);
// From here on, the server handles signals.
stopWithParent(parent);
