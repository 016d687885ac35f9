// Measures how long commands take to serve the first page, and how much they leave in a folder, in turns:
//   node scripts/bench/first-page.mjs [--rounds 5] [--before COMMAND] [--size FOLDER] -- COMMAND [-- COMMAND]
// Each command starts a board with PORT and an empty DATA_DIR. --before runs in a shell before each round.
import { execSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const [own, ...commands] = split(process.argv.slice(2), '--');
const { values } = parseArgs({
  args: own,
  options: {
    rounds: { type: 'string', default: '5' },
    before: { type: 'string' },
    size: { type: 'string', multiple: true, default: [] },
  },
});

for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const command of commands) {
    if (values.before) execSync(values.before, { stdio: 'ignore' });
    const seconds = await firstPage(command.join(' '));
    const sizes = values.size.map((folder) => `, ${folder} ${megabytes(folder)} MB`);
    console.log(`${round}: ${seconds.toFixed(2)} s${sizes.join('')}: ${command.join(' ')}`);
  }
}

function split(words, mark) {
  const groups = [[]];
  for (const word of words) {
    if (word === mark) groups.push([]);
    else groups.at(-1).push(word);
  }
  return groups;
}

async function firstPage(command) {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-first-page-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: folder };
  const startMs = performance.now();
  const child = spawn(command, { shell: true, env, stdio: 'ignore', detached: true });
  let hasEnded = false;
  child.once('exit', () => (hasEnded = true));
  while (!(await isServed(`http://127.0.0.1:${port}/`))) {
    if (hasEnded) throw new Error(`ended without a page: ${command}`);
    await pause(20);
  }
  const seconds = (performance.now() - startMs) / 1000;
  process.kill(-child.pid, 'SIGTERM');
  while (!hasEnded) await pause(20);
  rmSync(folder, { recursive: true, force: true });
  return seconds;
}

async function isServed(address) {
  try {
    const { ok } = await fetch(address);
    return ok;
  } catch {
    return false;
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function megabytes(folder) {
  return execSync(`du -sm ${folder}`, { encoding: 'utf8' }).split('\t')[0];
}
