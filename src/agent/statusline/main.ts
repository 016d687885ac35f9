/** The program of an installed status line, a file of its own in the state folder, because it starts much faster. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statusLine } from './line.ts';
import { readStatusLine } from './status.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const environment = { ...process.env, OPBENCH_HOME: folder };
const nowMs = Date.now();
process.stdout.on('error', () => undefined);
process.stdout.write(`${statusLine(readStatusLine(environment, nowMs), nowMs)}\n`);
