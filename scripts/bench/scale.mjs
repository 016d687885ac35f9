// Measures the costs of boards of several sizes, and how they grow. Each board is seeded, served by the built server,
// changed by 1% before each publication under a steady rate of requests, backed up, verified and started again.
//   --operators 1000,10000    the sizes, up to 1000000
//   --days 90                 the history of each operator; 30 from a million operators on
//   --only publish,verify     measures only some parts: publish, hide, delete, backup, verify, submit, restart, day
//   --seconds 60              the length of the load; longer if four publications take longer
//   --boards FOLDER           stores seeded boards in FOLDER, and reuses them
import { cpSync, existsSync, renameSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { utcDay } from '#core/domain/counting/day.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import { PARTS, measureBoard } from './scale-board.mjs';
import { openContext, seedBoard, takeAsChecked } from './seed.mjs';
import { straightLine } from './straight-line.mjs';

/** From this size on, a shorter history fits the disk. */
const HUGE = { operators: 1_000_000, days: 30 };

const options = readOptions({
  ...{ operators: '1000,10000', days: 90, seconds: 60, boards: '' },
  only: PARTS.join(),
});
const { seconds: most } = options;
const only = options.only.split(',');
const unknown = only.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) throw new Error(`Unknown parts: ${unknown.join()}. Use: ${PARTS.join()}`);
const daysOf = (operators) => (operators < HUGE.operators ? options.days : HUGE.days);
const sizes = options.operators.split(',').map(Number);

const results = [];
for (const operators of sizes) await withFolder((folder) => measure(folder, operators));
reportCosts();

async function measure(folder, operators) {
  const dataDir = join(folder, 'board');
  if (options.boards === '') seed(dataDir, operators);
  else cpSync(keptBoard(options.boards, operators), dataDir, { recursive: true });
  const ctx = openContext(dataDir);
  const [load] = loadavg();
  const costs = await measureBoard(ctx, { operators, days: daysOf(operators), most, only });
  ctx.store.close();
  results.push({ operators, costs, load: round(load, 1) });
  tell(`${operators} operators are measured`);
}

/** The folder of a stored board of today, created if missing. */
function keptBoard(folder, operators) {
  const kept = join(
    folder,
    `${operators}-operators-${daysOf(operators)}-days-until-${utcDay(Date.now())}`,
  );
  if (existsSync(kept)) return kept;
  seed(`${kept}.draft`, operators);
  renameSync(`${kept}.draft`, kept);
  return kept;
}

function seed(dataDir, operators) {
  const startedMs = performance.now();
  const ctx = openContext(dataDir);
  seedBoard(ctx, { operators, days: daysOf(operators) });
  takeAsChecked(ctx);
  ctx.store.close();
  tell(`${operators} operators are seeded, in ${round((performance.now() - startedMs) / 1000)} s`);
}

function tell(text) {
  process.stderr.write(`${text}\n`);
}

function reportCosts() {
  const rows = Object.keys(results[0].costs).map(rowOf);
  const loads = { 'load before each': results.map(({ load }) => load) };
  report(
    { ...options, markdown: true },
    `cost of a board, ${options.days} days of each operator`,
    rows,
    loads,
  );
}

function rowOf(name) {
  const cells = results.map(({ operators, costs }) => [
    `${operators.toLocaleString('en')} operators`,
    costs[name] === null ? '-' : shown(costs[name]),
  ]);
  return { cost: name, ...Object.fromEntries(cells), slope: slopeOf(name) };
}

/** Three significant digits, because one run is not more precise. */
function shown(value) {
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 2 });
}

/** The exponent k of a cost that grows as operators^k: over all sizes, then from each size to the next. */
function slopeOf(name) {
  const points = results
    .filter(({ costs }) => costs[name] > 0)
    .map(({ operators, costs }) => [Math.log(operators), Math.log(costs[name])]);
  if (points.length < 2) return '-';
  const whole = round(straightLine(points).slope, 2);
  if (points.length < 3) return whole;
  const steps = points.slice(1).map((point, at) => straightLine([points[at], point]).slope);
  return `${whole} (${steps.map((step) => round(step, 2)).join(', ')})`;
}
