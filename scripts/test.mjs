// The whole gate: lockfile, format, lint, types, build, tests. The first failure ends it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { run, runTests } from './run.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

await ensureNode();

checkLockfile();
await Promise.all([checkStyle(), checkTypesAndBuild()]);
process.exit(await runAllTests());

async function checkStyle() {
  await quietly('format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']);
  await quietly('lint', 'eslint/bin/eslint.js', ['--config', '.config/eslint.config.mjs', '.']);
}

async function checkTypesAndBuild() {
  await quietly('types', 'astro/bin/astro.mjs', ['check', '--minimumFailingSeverity', 'hint']);
  await build();
}

/**
 * Two lanes, a core each: whole servers one after the other, and beside them all that is small, then what a
 * browser looks at. The last line sums up all of it.
 */
async function runAllTests() {
  const [others, whole] = await Promise.all([
    runSmallAndBrowser(),
    runTests(['whole'], { isShown: true }),
  ]);
  others.forEach(({ output }) => process.stdout.write(output));
  const runs = [...others, whole];
  const counts = runs.map(({ output }) => /(\d+) passed, (\d+) failed\s*$/.exec(output));
  const sum = (place) => counts.reduce((total, found) => total + Number(found?.[place] ?? 0), 0);
  console.log(`\n${sum(1)} passed, ${sum(2)} failed`);
  return Math.max(...runs.map(({ status }) => status));
}

async function runSmallAndBrowser() {
  const small = await runTests(['unit', 'mocked'], { more: ['--maxWorkers', '1'] });
  return [small, await runTests(['browser'])];
}

/** Runs a step and shows its output only if it fails. */
async function quietly(name, program, args) {
  const { status, output } = await run(program, args);
  if (status === 0) {
    console.log(`${name}: ok`);
    return;
  }
  console.error(`${name}: failed\n${output}`);
  process.exit(1);
}

/** `npm install` leaves out optional packages that it cannot get, and `npm ci` then fails elsewhere. */
function checkLockfile() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).flatMap(([place, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !resolves(packages, place, name))
      .map((name) => `${place} wants ${name}`),
  );
  const resolved = Object.keys(packages).filter((place) => packages[place].resolved);
  if (missing.length + resolved.length === 0) return;
  console.error(`lockfile: failed\n${[...missing, ...resolved].join('\n')}`);
  process.exit(1);
}

/** Looks where Node would: in the package itself, then in each folder above. */
function resolves(packages, place, name) {
  const parts = place.split(/\/?node_modules\//);
  return parts.some((_, depth) => {
    const above = parts.slice(1, depth + 1).map((part) => `node_modules/${part}/`);
    return packages[`${above.join('')}node_modules/${name}`];
  });
}
