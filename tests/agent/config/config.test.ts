import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configPath, configured } from '#agent/config.ts';
import { boardMeant, identityOf } from '#agent/device.ts';
import type { SubmissionReport } from '#agent/reports.ts';
import { writePrivate } from '#agent/state/atomic-file.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const OTHER = 'https://other.test';

/** The environment of a device with a config file. */
function withFile(config: unknown, over: Record<string, string> = {}) {
  const environment = { HOME: aFolder(), ...over };
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writePrivate(configPath(environment), text);
  return environment;
}

describe('a setting', () => {
  test.each([
    [{}, {}, { values: [], source: null }],
    [{ label: 'laptop' }, {}, { values: ['laptop'], source: 'file' }],
    ['\uFEFF{"label": "laptop"}', {}, { values: ['laptop'], source: 'file' }],
    [{ label: 'laptop' }, { OPBENCH_LABEL: 'desk' }, { values: ['desk'], source: 'environment' }],
    [{ label: 'laptop' }, { OPBENCH_LABEL: '' }, { values: [], source: 'environment' }],
  ])('in the file %j and the environment %j is %j', (file, variables, expected) => {
    expect(configured(withFile(file, variables), 'label')).toMatchObject(expected);
  });

  test('has the form of its key', () => {
    const environment = withFile(
      { board: `${BASE_URL}/peers`, 'exclude-folders': ['~/secret'] },
      { OPBENCH_EXCLUDE_TOOLS: 'codex, opencode' },
    );

    expect(configured(environment, 'board').values).toEqual([BASE_URL]);
    expect(configured(environment, 'exclude-tools').values).toEqual(['codex', 'opencode']);
    expect(configured(environment, 'exclude-folders').values).toEqual([
      join(environment.HOME, 'secret'),
    ]);
  });

  test.each([
    ['{"label":', 'is not JSON'],
    ['[]', 'must be a JSON object'],
    [{ boards: 'x' }, 'unknown key "boards". The keys are board, label, exclude-tools'],
    [{ label: 7 }, '"label" in'],
    [{ label: ['a'] }, 'must be a text'],
    [{ label: ' ' }, 'must be a text'],
    [{ 'exclude-tools': 'codex' }, 'must be a list of texts'],
    [{ 'exclude-tools': ['codex', 1] }, 'must be a list of texts'],
    [{ board: 'bench' }, '"bench" is not the address of a board'],
    [{ board: 'http://bench.example.org' }, 'is not encrypted'],
    [{ 'exclude-folders': ['work'] }, 'must be absolute or begin with ~/, not "work"'],
    [{ 'exclude-folders': ['~bob/work'] }, 'must be absolute or begin with ~/'],
    [{ label: 'a\nb' }, 'contains a control character'],
  ])('is rejected in %j', (config, message) => {
    const environment = withFile(config);
    const read = () => configured(environment, 'label');

    expect(read).toThrow(expect.objectContaining({ exitCode: 1 }));
    expect(read).toThrow(message);
    expect(read).toThrow(configPath(environment));
  });

  test('of a wrong variable is rejected with its name', () => {
    const environment = { HOME: aFolder(), OPBENCH_BOARD: 'bench' };

    expect(() => configured(environment, 'board')).toThrow('OPBENCH_BOARD: "bench" is not');
  });
});

describe('the default board', () => {
  test('is used by commands that use one board, and needs an enrollment', async () => {
    const { device, identity } = await anEnrolledDevice(testContext(), 'ada', { home: aFolder() });
    device.keystore.save({ ...identity, board: OTHER });
    const environment = { ...device.environment, OPBENCH_BOARD: BASE_URL };
    const chosen = { ...device, environment };

    expect(() => identityOf(device, undefined, null)).toThrow('which board you mean');
    expect(identityOf(chosen, undefined, OTHER)).toMatchObject({ board: BASE_URL });
    expect(identityOf(chosen, OTHER)).toMatchObject({ board: OTHER });
    expect(boardMeant(chosen, OTHER)).toBe(BASE_URL);
    device.keystore.erase(BASE_URL);
    expect(() => identityOf(chosen, undefined)).toThrow(`not enrolled on ${BASE_URL}`);
  });

  test('does not limit submit, which uses all boards', async () => {
    const { device, identity } = await anEnrolledDevice(testContext(), 'ada', { home: aFolder() });
    device.keystore.save({ ...identity, board: 'http://127.0.0.1:1' });
    const environment = { ...device.environment, OPBENCH_BOARD: BASE_URL };
    const output = anOutput();

    await runCommand({ ...device, environment }, 'submit', ['--json'], output);

    const { submissions } = JSON.parse(output.results.join('')) as SubmissionReport;
    expect(submissions.map(({ board }) => board)).toEqual(['http://127.0.0.1:1', BASE_URL]);
  });
});

describe('opbench config', () => {
  async function run(environment: Record<string, string>, ...args: string[]) {
    const output = anOutput();
    const device = { ...aDeviceOf(testContext()), environment };
    await runCommand(device, 'config', args, output);
    return output.results.join('\n');
  }

  test('sets and removes keys, and shows where values are from', async () => {
    const environment = { HOME: aFolder(), OPBENCH_LABEL: 'desk' };
    await run(environment, 'set', 'exclude-tools', 'codex,opencode');
    await run(environment, 'set', 'board', BASE_URL);
    const text = await run(environment);
    const json = JSON.parse(await run(environment, '--json')) as object;

    expect(text).toMatch(/exclude-tools +codex, opencode\n/);
    expect(text).toMatch(/label +desk \(from OPBENCH_LABEL\)/);
    expect(json).toEqual({
      path: configPath(environment),
      exists: true,
      settings: [
        { key: 'board', values: [BASE_URL], source: 'file' },
        { key: 'label', values: ['desk'], source: 'environment' },
        { key: 'exclude-tools', values: ['codex', 'opencode'], source: 'file' },
        { key: 'exclude-folders', values: [], source: null },
      ],
    });
    await run(environment, 'unset', 'exclude-tools');
    const kept = JSON.parse(readFileSync(configPath(environment), 'utf8')) as object;
    expect(kept).toEqual({ board: BASE_URL });
  });

  test.each([
    [['set', 'boards', 'x'], 'has no key "boards"'],
    [['set', 'label'], 'takes "set KEY VALUE"'],
    [['set', 'label', ' '], 'needs a value'],
    [['unset', 'label', 'x'], 'takes "set KEY VALUE"'],
    [['show'], 'takes "set KEY VALUE"'],
    [['set', 'exclude-tools', 'codex,cobol'], 'there is no tool "cobol"'],
    [['set', 'exclude-folders', 'work'], 'must be absolute'],
    [['set', 'board', 'bench'], 'config set board: "bench" is not the address'],
  ])('%j is rejected, and nothing is written', async (args, message) => {
    const environment = { HOME: aFolder() };

    await expect(run(environment, ...args)).rejects.toThrow(message);
    expect(existsSync(configPath(environment))).toBe(false);
  });
});
