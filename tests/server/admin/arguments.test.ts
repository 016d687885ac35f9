import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aDataDir, testContext } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';

/** The error message for invalid arguments, without "opbench-board: ". */
async function refusal(...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await runAdmin(words);
  expect([words, status, stdout]).toEqual([words, 1, '']);
  return stderr.replace(/^opbench-board: /, '').trimEnd();
}

const OF_AUDIT =
  'It takes --who, --via, --action, --subject, --since, --until, --limit and --json.';

describe('an argument that a command does not take', () => {
  test.each([
    ['doctor --offlin', 'doctor does not take --offlin. It takes --offline and --json.'],
    [
      'backup --jason x',
      'backup does not take --jason. It takes one FILE, --force, --keep-days and --json.',
    ],
    [
      'backup a --json=1',
      'backup takes no value with --json. It takes one FILE, --force, --keep-days and --json.',
    ],
    ['backup a b', 'backup does not take "b". It takes one FILE, --force, --keep-days and --json.'],
    ['backup', 'backup takes one FILE, --force, --keep-days and --json.'],
    [
      'backup --force=1 a',
      'backup takes no value with --force. It takes one FILE, --force, --keep-days and --json.',
    ],
    ['audit --limt 3', `audit does not take --limt. ${OF_AUDIT}`],
    ['audit -l 3', `audit does not take -l. ${OF_AUDIT}`],
    ['audit --limit', `audit needs a value after --limit. ${OF_AUDIT}`],
    ['audit --limit --force', `audit needs a value after --limit. ${OF_AUDIT}`],
    [
      'export a --hole',
      'export does not take --hole. It takes one FILE at most, --force, --parquet and --json.',
    ],
    ['serve --detach', 'serve does not take --detach. It takes nothing more.'],
    ['key list --all', 'key list does not take --all. It takes --json.'],
    ['held --toString', 'held does not take --toString. It takes --json.'],
  ])('is named in "%s"', async (line, told) => {
    const words = line.split(' ');
    expect(await refusal(...words)).toBe(`${told} See opbench-board ${words[0]} --help`);
  });

  test('can be a setting of the environment', async () => {
    expect(await refusal('serve', '--port', '5')).toBe(
      'serve does not take --port: set PORT in the environment. See opbench-board serve --help',
    );
    expect(await refusal('backup', '--data-dir=/x', 'y')).toContain(
      'set DATA_DIR in the environment',
    );
  });

  test('has an error message with a similar name or the list of names', async () => {
    expect(await refusal('key', 'isue')).toBe(
      'key does not take "isue". Did you mean "issue"? See opbench-board key --help',
    );
    expect(await refusal('key', 'x')).toContain(
      'key does not take "x". It takes issue, list or revoke',
    );
    expect(await refusal('challenge')).toContain(
      'challenge takes create, edit, list, cancel or stop.',
    );
  });
});

describe('--env-file', () => {
  const run = (words: string[]) => runAdmin(words, { DATA_DIR: undefined, PORT: '9' });

  test('gives settings before and after the name of a command; the environment wins', async () => {
    const { config } = testContext();
    const path = join(aDataDir(), 'board.env');
    writeFileSync(path, `DATA_DIR="${config.dataDir}"\nPORT=8\nBASE_URL=https://file.example\n`);
    for (const words of [
      ['--env-file', path, 'doctor', '--offline'],
      ['doctor', '--offline', `--env-file=${path}`],
    ]) {
      const { stdout } = await run(words);
      expect(stdout).toContain('served at https://file.example (on http://127.0.0.1:9)');
      expect(stdout).toContain(`${config.dataDir} is writable`);
    }
    const { stdout } = await run(['login-link', '--new', 'ada', '--env-file', path]);
    expect(stdout).toMatch(/^https:\/\/file\.example\/login\//);
  });

  test('that cannot be used exits with 1 and names the file', async () => {
    const path = join(aDataDir(), 'board.env');
    writeFileSync(path, 'PORT 8\n');
    expect(await refusal('held', '--env-file', path)).toContain(
      `--env-file: line 1 of ${path} is not a setting. `,
    );
    expect(await refusal('--env-file', `${path}.x`, 'held')).toBe(
      `--env-file: ${path}.x does not exist`,
    );
    expect(await refusal('held', '--env-file')).toContain('--env-file needs a value.');
    writeFileSync(path, 'PORT=many\n');
    expect(await refusal('held', '--env-file', path)).toContain('PORT: must be a whole number');
  });

  test('is not read for a help text', async () => {
    const { status, stdout } = await run(['held', '--help', '--env-file', '/none']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^opbench-board held: /)]);
  });
});

describe('an invalid value exits with 1 and says what it must be', () => {
  test.each([
    [['login-link', '--new', 'X y'], /^The codename must be [^\n]+$/],
    [['reject', 'x', '--reason', 'a\u202Eb'], /^The reason must [^\n]+$/],
    [['reject', 'x', '--reason', ''], /^reject needs a value after --reason\. /],
    [['key', 'issue', '--label', 'x'.repeat(61)], /^The label must have at most 60 characters$/],
  ])('%j', async (words, told) => {
    const { dataDir } = testContext().config;
    const { status, stderr } = await runAdmin(words, { DATA_DIR: dataDir });
    expect([status, stderr.replace(/^opbench-board: /, '').trimEnd()]).toEqual([
      1,
      expect.stringMatching(told),
    ]);
  });

  test('but a request that the board rejects exits with 3', async () => {
    const { dataDir } = testContext().config;
    expect((await runAdmin(['login-link', 'ada'], { DATA_DIR: dataDir })).status).toBe(3);
  });
});

test('an invalid challenge is explained by its options', async () => {
  const { dataDir } = testContext().config;
  const days = ['--from', '2099-02-01', '--to', '2099-01-01'];
  const words = ['--title', 'T', '--description', 'D', '--metric', 'yield', '--min-coverage', '2'];

  const { status, stderr } = await runAdmin(['challenge', 'create', ...words, ...days], {
    DATA_DIR: dataDir,
  });

  expect(status).toBe(1);
  expect(stderr.split('\n').sort()).toEqual([
    '',
    '  --min-coverage: must be at most 1',
    expect.stringMatching(/^ {2}--title: .*3 to 60 letters.*--id$/),
    '  --to: must not be before --from',
    expect.stringMatching(/^opbench-board: The challenge /),
  ]);
});

test('verify reports a missing board like every other command', async () => {
  const folder = join(aDataDir(), 'none');
  const result = (word: string) => runAdmin([word], { DATA_DIR: folder });
  expect(await result('verify')).toEqual(await result('held'));
});
