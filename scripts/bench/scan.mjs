// Compares `opbench scan` with ccusage, in turns on the same logs of Claude Code and Codex: a cold scan, which also
// writes the index; a scan without changes; and a scan after one log grew by one percent of all bytes. Each run is a
// separate process, and the totals of both are checked. Targets, relative to ccusage: 0.75 of the time and memory for
// the cold scan, 0.1 and 0.15 of the time for the others.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../runtime.mjs';
import { median, medianRatio, readOptions, report, round, withFolder } from './lib.mjs';
import { writeLogs } from './scan-logs.mjs';

const CCUSAGE = 'ccusage@20.0.24';
/** GNU time, which measures the peak memory of the largest process that the command waited for. */
const TIME = '/usr/bin/time';
/** Longer than the time resolution of file systems, because the scan does not trust newer timestamps. */
const SETTLED_MS = 2500;

const options = readOptions({
  ...{ claude: 500, codex: 100, rounds: 7 },
  ...{ ccusage: '', node: process.execPath },
});

await withFolder(async (folder) => {
  const truth = writeLogs(folder, options);
  const ccusage = options.ccusage || installCcusage(folder);
  // The index and the ledger, because without one of them the logs would be read again.
  const state = join(folder, 'home');
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    OPBENCH_HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
  };
  const scan = (prepare) => {
    prepare();
    const command = [options.node, join(ROOT, 'dist', 'opbench.mjs'), 'scan', '--json'];
    return run(folder, command, env);
  };
  const reference = () => run(folder, [ccusage, 'daily', '--json', '--offline'], env);
  const forget = () => rmSync(state, { recursive: true, force: true });

  await setTimeout(SETTLED_MS);
  check('opbench', totalsOf(scan(forget)), truth);
  check('ccusage', totalsOfCcusage(reference()), truth);
  const rows = [compare('cold', () => scan(forget), reference)];
  rows.push(compare('nothing changed', () => scan(() => undefined), reference));

  cpSync(state, join(folder, 'kept'), { recursive: true });
  grow(folder);
  const restore = () => {
    forget();
    cpSync(join(folder, 'kept'), state, { recursive: true });
  };
  check('opbench, grown', totalsOf(scan(restore)), totalsOf(scan(forget)));
  rows.push(compare('one log grown by 1%', () => scan(restore), reference));
  report(
    options,
    `scan of ${options.claude} + ${options.codex} MB, compared with ${CCUSAGE}`,
    rows,
    {
      node: spawnSync(options.node, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    },
  );
});

function installCcusage(folder) {
  const npm = spawnSync('npm', ['install', '--silent', '--prefix', folder, CCUSAGE], {
    stdio: 'inherit',
  });
  if (npm.status !== 0)
    throw new Error(`${CCUSAGE} cannot be installed. Name an installed one with --ccusage PATH`);
  return join(folder, 'node_modules', '.bin', 'ccusage');
}

/** Runs a command and returns its output, duration and peak memory. */
function run(folder, command, env) {
  const figures = join(folder, 'time');
  const measured = existsSync(TIME) ? [TIME, '-f', '%M', '-o', figures, ...command] : command;
  const startedMs = performance.now();
  const [program, ...args] = measured;
  const { status, stdout, stderr } = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  const kib = existsSync(figures) ? Number(readFileSync(figures, 'utf8')) : NaN;
  return { stdout, ms, megabytes: kib / 1024 };
}

function totalsOf({ stdout }) {
  const { input, output, cache_write, cache_read } = JSON.parse(stdout).totals;
  return { input, output, cache_write, cache_read };
}

function totalsOfCcusage({ stdout }) {
  const { totals } = JSON.parse(stdout);
  return {
    input: totals.inputTokens,
    output: totals.outputTokens,
    cache_write: totals.cacheCreationTokens,
    cache_read: totals.cacheReadTokens,
  };
}

function check(name, totals, truth) {
  const [told, known] = [totals, truth].map((counts) => JSON.stringify(counts));
  if (told !== known) throw new Error(`${name} counts ${told} instead of ${known}`);
}

/** Runs both in turns. */
function compare(name, ours, reference) {
  const pairs = Array.from({ length: options.rounds }, () => [ours(), reference()]);
  const [own, other] = [0, 1].map((side) => pairs.map((pair) => pair[side]));
  const of = (runs, figure) => runs.map((one) => one[figure]);
  return {
    scan: name,
    ms: round(median(of(own, 'ms'))),
    'ccusage ms': round(median(of(other, 'ms'))),
    time: round(medianRatio(of(own, 'ms'), of(other, 'ms')), 3),
    MB: round(median(of(own, 'megabytes'))),
    'ccusage MB': round(median(of(other, 'megabytes'))),
    memory: round(medianRatio(of(own, 'megabytes'), of(other, 'megabytes')), 3),
  };
}

/** Adds new responses to a medium log, until all logs have grown by one percent. */
function grow(folder) {
  const logs = readdirSync(join(folder, 'claude'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, 'claude', name))
    .sort((a, b) => statSync(a).size - statSync(b).size);
  const bytes = (options.claude + options.codex) * 10_000;
  const text = readFileSync(logs.at(-1)).subarray(0, bytes).toString('utf8');
  const whole = text.substring(0, text.lastIndexOf('\n') + 1);
  const added = whole.replaceAll('"msg_01', '"msg_02');
  appendFileSync(logs[logs.length >> 1], added);
}
