// Runs all checks: lockfile, format, lint, types, build and tests. Stops at the first failure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { run, runTests } from './run.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

await ensureNode();

// Files that have not changed are not checked again.
const FORMAT = ['--check', '--cache', '--cache-strategy', 'content', '--log-level', 'warn', '.'];
const LANES = ['unit', 'mocked', 'whole', 'browser'];

const ASTRO_FILES = ['--config', '.config/eslint.config.mjs', 'src/**/*.astro'];

checkLockfile();
// Start this before the build, which blocks this process.
const formatted = quietly('format', 'prettier/bin/prettier.cjs', FORMAT);
const built = build();
const [status] = await Promise.all([testBuilt(), checkSources()]);
process.exit(status);

async function testBuilt() {
  await built;
  const tests = await runTests(LANES, { isShown: true });
  return tests.status;
}

async function checkSources() {
  await formatted;
  await quietly('lint of pages', 'eslint/bin/eslint.js', ASTRO_FILES);
  // The build writes the types of Astro's generated modules.
  await built;
  await quietly('lint and types', 'oxlint/bin/oxlint', ['.']);
  await quietly('types of pages', '../.config/check-astro.mjs', []);
}

/** Runs a step with low priority, and shows its output only if it fails. */
async function quietly(name, program, args) {
  const { status, output } = await run(program, args, { isPatient: true });
  if (status === 0) {
    console.log(`${name}: ok`);
    return;
  }
  console.error(`${name}: failed\n${output}`);
  process.exit(1);
}

/** Checks the lockfile, because `npm install` drops optional packages that it cannot get. `npm ci` then fails elsewhere. */
function checkLockfile() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).flatMap(([place, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !resolves(packages, place, name))
      .map((name) => `${place} needs ${name}`),
  );
  const resolved = Object.keys(packages).filter((place) => packages[place].resolved);
  if (missing.length + resolved.length === 0) return;
  console.error(`lockfile: failed\n${[...missing, ...resolved].join('\n')}`);
  process.exit(1);
}

/** Looks where Node does: in the package itself, then in each folder above. */
function resolves(packages, place, name) {
  const parts = place.split(/\/?node_modules\//);
  return parts.some((_, depth) => {
    const above = parts.slice(1, depth + 1).map((part) => `node_modules/${part}/`);
    return packages[`${above.join('')}node_modules/${name}`];
  });
}
