// Shared by the benchmarks: child processes, interleaved rounds, medians and tables.
import { execFile, fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ALLOCATOR, SMALL_YOUNG_GENERATION } from '#server/process/memory-settings.ts';
import { ROOT } from '../runtime.mjs';

const DAY_SECONDS = 86_400;

/** Parses a script's options, with their defaults: numbers, texts and switches. Every script takes `--json`. */
export function readOptions(usual = {}) {
  const all = Object.entries({ json: false, ...usual });
  const options = all.map(([name, value]) => {
    const isSwitch = typeof value === 'boolean';
    return [name, isSwitch ? { type: 'boolean' } : { type: 'string' }];
  });
  const { values } = parseArgs({ options: Object.fromEntries(options) });
  const read = all.map(([name, value]) => {
    const given = values[name] ?? value;
    return [name, typeof value === 'number' ? Number(given) : given];
  });
  return Object.fromEntries(read);
}

/** Writes numbers into the file that a page quotes, formatted as the format check expects. */
export async function writeMeasured(name, numbers) {
  const { format, resolveConfig } = await import('prettier');
  const path = join(ROOT, 'src', 'components', 'method', `${name}.json`);
  const config = await resolveConfig(path);
  await writeFile(path, await format(JSON.stringify(numbers), { ...config, filepath: path }));
}

/** Runs `work` with an empty temporary folder. */
export async function withFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'opbench-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Starts the built server on a data folder. `events` emits each JSON line of its stderr. Other lines are shown,
 * unless it is quiet. By default it publishes only once, at its start.
 *
 * @param memory Options for Node, by default those of the product.
 * @param within The words of a command that ends up starting the server.
 */
export async function startBoard({
  dataDir,
  refreshSeconds = DAY_SECONDS,
  memory = [SMALL_YOUNG_GENERATION],
  execArgv = [],
  env = {},
  within = [],
  isQuiet = false,
}) {
  const entry = join(ROOT, 'dist', 'server', 'entry.mjs');
  const [program, ...words] = [...within, process.execPath, ...memory, ...execArgv, entry];
  const child = spawn(program, words, {
    env: {
      ...ALLOCATOR,
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: '0',
      REFRESH_SECONDS: String(refreshSeconds),
      LOG_REQUESTS: 'errors',
      RATE_LIMIT_PUBLIC: '1000000000',
      RATE_LIMIT_WRITES: '1000000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events = new EventEmitter();
  let last = '';
  createInterface(child.stderr).on('line', (line) => {
    last = line;
    if (line.startsWith('{')) events.emit('event', JSON.parse(line));
    else if (!isQuiet) process.stderr.write(`${line}\n`);
  });
  const url = new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}: ${last}`)));
    createInterface(child.stdout).on('line', (line) => {
      const served = / is running at (\S+)$/.exec(line);
      if (served) resolve(served[1]);
    });
  });
  return { events, url, pid: child.pid, stop: () => stop(child) };
}

/** Runs the built opbench-board on a data folder and returns its stdout. */
export async function runAdmin({ dataDir, url }, ...words) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, BASE_URL: url };
  const command = join(ROOT, 'dist', 'opbench-board.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], { env });
  return stdout.trim();
}

/** A free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a reference server from this folder. It receives a message and responds with its port. */
export async function startReference(file, message) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, { serialization: 'advanced', env: { NODE_ENV: 'production' } });
  child.send(message);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** Returns the exit code. */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

/** Runs the contestants in turns (A B A B ...) and returns the results of each. */
export async function interleave(rounds, contestants) {
  const results = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contestants)) results[name].push(await run(round));
  }
  return results;
}

/** The quantile of the values at a share. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function median(values) {
  return quantile(values, 0.5);
}

/** The median of the ratios of each round, because runs next to each other share the machine's noise. */
export function medianRatio(ours, reference) {
  return median(ours.map((value, round) => value / reference[round]));
}

export function round(value, decimals = 0) {
  return Number(value.toFixed(decimals));
}

/** Prints rows as a table, as Markdown with `markdown`, or the whole result as one line of JSON. */
export function report({ json, markdown = false }, title, rows, rest = {}) {
  if (json) {
    process.stdout.write(`${JSON.stringify({ benchmark: title, rows, ...rest })}\n`);
    return;
  }
  process.stdout.write(`\n${title}\n\n${tableOf(rows, markdown).join('\n')}\n`);
  const notes = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (notes.length > 0) process.stdout.write(`\n${notes.join('\n')}\n`);
}

function tableOf(rows, markdown) {
  const head = Object.keys(rows[0]);
  const cells = [head, ...rows.map((row) => head.map((name) => String(row[name])))];
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const padded = cells.map((line) => {
    return line.map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[at])));
  });
  if (!markdown) return padded.map((line) => line.join('  '));
  const rule = widths.map((width, at) => (at ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return padded.toSpliced(1, 0, rule).map((line) => `| ${line.join(' | ')} |`);
}
