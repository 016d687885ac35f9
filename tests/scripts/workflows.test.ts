/** Checks the rules of .github/workflows that GitHub does not enforce. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '#tests/support/board/context.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  environment?: string;
  strategy?: { matrix: Record<string, string[]> };
  uses?: string;
  steps?: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = join(ROOT, '.github', 'workflows');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What jobs may change. All others only read. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  'release.yml publish': ['attestations', 'contents', 'id-token'],
  'release.yml image': ['packages'],
};

const files = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const jobs = files.flatMap(({ name, workflow }) => {
  return Object.entries(workflow.jobs).map(([id, job]) => ({ name: `${name} ${id}`, job }));
});
const steps = jobs.flatMap(({ job }) => job.steps ?? []);
const stepsOf = (action: string) => steps.filter(({ uses }) => uses?.startsWith(`${action}@`));

describe('a workflow', () => {
  test.each(files)('grants nothing to all jobs: $name', ({ workflow }) => {
    expect(workflow.permissions).toEqual({});
  });

  test('pins every action by its commit and names the version, the same everywhere', () => {
    const used = files.flatMap(({ text }) => [...text.matchAll(/^ *(?:- )?uses: (.*)$/gm)]);
    const foreign = used.map(([, action = '']) => action).filter((it) => !it.startsWith('./'));

    expect(
      foreign.filter((it) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(it)),
    ).toEqual([]);
    const pins = new Set(foreign);
    expect(new Set(foreign.map((it) => it.split('@')[0])).size).toBe(pins.size);
  });

  test('runs only scripts that exist', () => {
    const called = steps.flatMap(({ run = '' }) => [...run.matchAll(/\bnpm (?:run )?([\w:]+)/g)]);
    const names = new Set(called.map(([, name = '']) => name));

    expect([...names].filter((name) => !(name in scripts))).toEqual([]);
    expect(names).toContain('test');
  });

  test('inserts no expression into a shell script, where its text would be executed', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  test('leaves no credentials in the checkout, and restores no cache', () => {
    const kept = stepsOf('actions/checkout').map((step) => step.with?.['persist-credentials']);
    const cached = stepsOf('actions/setup-node').map((step) => step.with);

    expect(new Set(kept)).toEqual(new Set([false]));
    for (const options of cached) {
      expect(options).toMatchObject({ 'package-manager-cache': false });
      expect(options).not.toHaveProperty('cache');
    }
    expect(stepsOf('actions/cache')).toEqual([]);
  });
});

describe('a job', () => {
  test.each(jobs)('has only the permissions that it needs: $name', ({ name, job }) => {
    const granted = Object.entries(job.permissions ?? {});
    const written = granted.filter(([, access]) => access === 'write').map(([scope]) => scope);

    expect(job.permissions).toBeDefined();
    expect(written.sort()).toEqual(WRITES[name] ?? []);
    if (written.length > 0) expect(job.steps?.some(usesRepository)).toBe(false);
  });

  test.each(jobs)('ends after two hours at the latest: $name', ({ job }) => {
    // A job that calls another workflow has that workflow's limits.
    const limit = job.uses === undefined ? job['timeout-minutes'] : 0;

    expect(limit).toBeLessThanOrEqual(120);
  });

  test.each(jobs)(
    'reads secrets only in an environment, and neither writes nor installs packages then: $name',
    ({ job }) => {
      if (!JSON.stringify(job).includes('secrets.')) return;

      expect(job.environment).toBe('release');
      expect(job.permissions).toEqual({ contents: 'read' });
      expect(job.steps?.filter(({ run = '' }) => /\bnpm\b/.test(run))).toEqual([]);
    },
  );

  test('calls workflows that exist', () => {
    const called = jobs.flatMap(({ job }) => job.uses ?? []);

    expect(called.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** Whether a step runs code of the repository or its packages. */
function usesRepository({ uses = '', run = '' }: Step): boolean {
  return uses.startsWith('actions/checkout@') || /\b(?:npm|node)\b/.test(run);
}

test('the gate runs on every supported system, with the command of .ci/run', () => {
  const { gate } = files.find(({ name }) => name === 'gate.yml')?.workflow.jobs ?? {};

  expect(gate?.strategy?.matrix['system']?.map((name) => name.replace(/-\d+(\.\d+)?/, ''))).toEqual(
    ['ubuntu', 'ubuntu-arm', 'macos', 'windows'],
  );
  expect(gate?.steps?.at(-1)?.run).toBe('npm test');
  expect(read('.ci/run').trim().split('\n').at(-1)).toBe('npm test');
});

test('updates are proposed for actions and packages', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string }[];
  };

  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['github-actions', 'npm']);
});
