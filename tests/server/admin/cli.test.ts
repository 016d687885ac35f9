import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StoreError, type StoreRefusal } from '#db/engine/store-error.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { BackupError } from '#server/process/backup-error.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { COMMANDS, PROGRAM } from '#server/admin/commands.ts';
import { terminalOf } from '#server/admin/command.ts';
import { explain } from '#server/admin/explain.ts';
import { UsageError } from '#core/cli/arguments.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { aDataDir, anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';

describe('help', () => {
  test.each(Object.entries(COMMANDS))(
    'of %s: summary, usage, an example, its JSON',
    async (name, load) => {
      const command = await load();
      const { help, json } = command;
      expect(help).toMatch(new RegExp(`^opbench-board ${name}: .+\n\n`));
      expect(help).toContain(`\nUsage: opbench-board ${name}`);
      expect(help).toContain('\nExample: ');
      expect(json === undefined).toBe('isMute' in command);
      expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
      expect(PROGRAM.overview()).toMatch(new RegExp(`^  ${name} `, 'm'));
    },
  );

  test('shows only commands that exist', () => {
    const shown = [...PROGRAM.overview().matchAll(/^ {2}([a-z-]+) .* {2}/gm)].map(
      ([, name]) => name,
    );
    expect(shown.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  });

  test('is printed wherever --help is given', async () => {
    for (const words of [[], ['help'], ['--help'], ['-h']]) {
      expect(await runAdmin(words)).toEqual({ status: 0, stdout: PROGRAM.overview(), stderr: '' });
    }
    const { help = '' } = (await COMMANDS['audit']?.()) ?? {};
    for (const words of [
      ['help', 'audit'],
      ['audit', '--help'],
      ['audit', '--limit', '-h'],
    ]) {
      expect(await runAdmin(words)).toEqual({ status: 0, stdout: help, stderr: '' });
    }
  });

  test('of a subcommand is its own', async () => {
    const overall = await runAdmin(['challenge', '--help']);
    for (const words of [
      ['challenge', 'create', '--help'],
      ['help', 'challenge', 'create'],
    ]) {
      const { status, stdout } = await runAdmin(words);
      expect([status, stdout]).toEqual([0, expect.stringContaining('--min-active-days N')]);
      expect(stdout).not.toContain('challenge cancel');
    }
    expect(overall.stdout).toContain('challenge cancel');
    expect((await runAdmin(['key', 'list', '--help', '--json'])).stdout).toContain('per_minute');
  });

  test('suggests a command with a similar name', async () => {
    for (const words of [['messges'], ['help', 'messges'], ['messges', '--help']]) {
      const { status, stdout, stderr } = await runAdmin(words);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toBe(
        'opbench-board: There is no command "messges". Did you mean "messages"? See opbench-board --help\n',
      );
    }
    expect((await runAdmin(['toString'])).status).toBe(1);
  });
});

test('--version prints the version first, then the kind of build and the commit', async () => {
  for (const words of [['--version'], ['version'], ['-v'], ['--env-file=x', '--version']]) {
    const { status, stdout } = await runAdmin(words);
    const text = expect.stringMatching(
      /^\d+\.\d+\.\d+ \(checkout, commit (?:[0-9a-f]{12}|unknown)\)\n$/,
    );
    expect([status, stdout]).toEqual([0, text]);
  }
  const { stdout } = await runAdmin(['--version', '--json'], { OPBENCH_IMAGE: '1' });
  expect(JSON.parse(stdout)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{40}$/.test(String(commit))),
    build: 'container image',
    node: process.versions.node,
  });
});

describe('an error', () => {
  const said = (error: unknown): [code: number, text: string] => {
    let text = '';
    const stderr = { write: (piece: string) => Boolean((text += piece)) };
    const code = explain(error, 'held', terminalOf({ stdout: stderr, stderr }));
    return [code, text];
  };
  const refused = (refusal: StoreRefusal) => new StoreError(refusal, 'Do this');
  const sqlite = (code: string) => Object.assign(new Error('SQL logic'), { code });
  const disk = () => {
    const words = 'EXDEV: cross-device link not permitted, rename';
    return Object.assign(new Error(words), { code: 'EXDEV', syscall: 'rename' });
  };

  test.each([
    [new UsageError('No'), 1, 'opbench-board: No. See opbench-board held --help\n'],
    [new ConfigError('No board'), 1, 'opbench-board: No board\n'],
    [refused('missing'), 1, 'opbench-board: Do this\n'],
    [refused('older'), 1, 'opbench-board: Do this\n'],
    [refused('newer'), 1, 'opbench-board: Do this\n'],
    [refused('damaged'), 2, 'opbench-board: Do this\n'],
    [refused('wrong_kind'), 1, 'opbench-board: Do this\n'],
    [refused('in_use'), 3, 'opbench-board: Do this\n'],
    [new BackupError('taken', 'Do this'), 3, 'opbench-board: Do this\n'],
    [new DomainError('not_found', 'No'), 3, 'opbench-board: No\nCheck the spelling.\n'],
    [
      disk(),
      2,
      'opbench-board: The operating system reported an error: EXDEV: cross-device link not permitted, rename\n',
    ],
  ])('%s exits with %i and a message', (error, code, text) => {
    expect(said(error)).toEqual([code, text]);
  });

  test.each([
    ['SQLITE_BUSY', 'Try again'],
    ['SQLITE_CORRUPT_VTAB', 'opbench-board restore'],
    ['SQLITE_FULL', 'The disk is full'],
    ['SQLITE_READONLY_DIRECTORY', 'DATA_DIR'],
    ['SQLITE_IOERR_READ', 'Check the disk'],
    ['SQLITE_CANTOPEN', 'DATA_DIR'],
  ])('%s exits with 2, in plain words and without a stack trace', (code, words) => {
    const [status, text] = said(sqlite(code));
    expect([status, text]).toEqual([2, expect.stringContaining(words)]);
    expect(text).not.toMatch(/SQL|\n.+\n/);
  });

  test('that is a bug is printed with its stack trace', () => {
    const [status, text] = said(new TypeError('x is not a function'));
    expect(status).toBe(4);
    expect(text).toMatch(/bug in opbench-board.*\nTypeError: x is.+\n +at /);
  });

  test('is printed with --json too', async () => {
    const dataDir = join(aDataDir(), 'none');
    const { status, stderr } = await runAdmin(['held', '--json'], { DATA_DIR: dataDir });
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no board in')]);
    expect((await runAdmin(['held'], { PORT: 'x' })).stderr).toContain('PORT: ');
  });
});

/** A board with a submission, and a message with control characters that could steer a terminal. */
async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { answer } = await submit(ctx, device, [aBucket()]);
  const row = { operator_id: 1, subject: 'Hi\n2026 eve\u202E', message: 'a\u001B[2Jb\r\nc\u009B' };
  const message = { id: 'm1', created_at: ctx.now().toISOString(), mailed_at: null, ...row };
  ctx.store.contactMessages.add(message, 9);
  const admin = (...words: string[]) => runAdmin(words, { DATA_DIR: ctx.config.dataDir });
  return { admin, submission: answer.id, message };
}

describe('--json', () => {
  test('prints each result as one line of JSON', async () => {
    const { admin, submission } = await aScene();
    const folder = aDataDir();
    const read = async (...words: string[]) => {
      const { status, stdout } = await admin(...words, '--json');
      expect([words, status, stdout]).toEqual([words, 0, expect.stringMatching(/^.+\n$/)]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const reason = ['--reason', 'As agreed'];
    const days = ['--from', '2099-01-01', '--to', '2099-01-09'];
    const words = ['--title', 'Nine days', '--description', 'Best?', '--metric', 'yield'];

    expect(await read('login-link', 'ada')).toMatchObject({
      url: expect.stringContaining('/login/link?token=') as string,
      codename: 'ada',
    });
    const issued = await read('key', 'issue', '--label', 'Export');
    expect(issued).toMatchObject({ label: 'Export', per_minute: 600 });
    const id = String(issued['id']);
    expect(issued['key']).toMatch(new RegExp(`^ob_${id}_`));
    expect(await read('key', 'revoke', id)).toEqual({ id });
    expect(await read('key', 'list')).toMatchObject({ entries: [{ id, label: 'Export' }] });
    expect(await read('hold', submission, ...reason)).toMatchObject({ decision: 'hold' });
    expect(await read('held')).toMatchObject({ entries: [{ id: submission }] });
    expect(await read('release', submission, ...reason)).toMatchObject({ id: submission });
    expect(await read('submissions', 'ada')).toMatchObject({ entries: [{ id: submission }] });
    expect(await read('challenge', 'create', ...words, ...days)).toEqual({ id: 'nine-days' });
    expect(await read('challenge', 'list')).toMatchObject([{ id: 'nine-days' }]);
    const cancelled = await read('challenge', 'cancel', 'nine-days', ...reason);
    expect(cancelled).toEqual({ id: 'nine-days', reason: 'As agreed' });
    expect(await read('audit', '--limit', '1')).toMatchObject({
      entries: [{ action: 'challenge_cancel' }],
    });
    const files = ['board.toml', 'board.css'].map((name) => join(folder, 'own', name));
    expect(await read('init', join(folder, 'own'))).toEqual({ files });
    const path = join(folder, 'log.ndjson');
    const exported = {
      path,
      log_index: expect.any(Number),
      entry_hash: expect.stringMatching(/./),
    };
    expect(await read('export', path)).toEqual(exported);
    const { stdout } = await admin('export', path, '--force');
    expect(stdout).toMatch(/ up to entry \d+\nhead \d+:[\w+/=]+\n$/);
    const counts = join(folder, 'counts.parquet');
    expect(await read('export', '--parquet', counts)).toEqual({
      path: counts,
      log_index: exported.log_index,
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      rows: expect.any(Number),
    });
    expect((await admin('export', '--parquet', counts, '--force')).stdout).toMatch(
      /counts\.parquet: \d+ daily counts as of \d{4}-\d\d-\d\d\n$/,
    );
  });

  test('is rejected by commands that print something else', async () => {
    const { admin } = await aScene();
    const log = await admin('export', '--json');
    expect([log.status, log.stdout]).toEqual([1, '']);
    expect(log.stderr).toContain('Name a FILE, or leave out --json');
    for (const words of [['--parquet'], ['--parquet', '-'], ['--parquet', '--json']]) {
      const counts = await admin('export', ...words);
      expect([counts.status, counts.stdout]).toEqual([1, '']);
      expect(counts.stderr).toContain('A Parquet file cannot go to stdout. Name a FILE');
    }
    expect((await admin('serve', '--json')).stderr).toContain('--json');
  });

  test('is not an option after --', async () => {
    const { admin } = await aScene();
    const { status, stderr } = await admin('submissions', '--', '--json');
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('opbench-board: No operator is called "--json"\n'),
    ]);
  });
});

test('text of others cannot steer the terminal or look like another message', async () => {
  const { admin, message } = await aScene();

  const { stdout } = await admin('messages');
  const json = await admin('messages', '--json');

  expect(stdout).toBe(
    `${message.created_at} ada, not mailed (m1)\n  Hi2026 eve\n\n  a[2Jb\n  c\n\n`,
  );
  expect(json.stdout).toMatch(/^[\x20-\x7E]+\n$/);
  expect(JSON.parse(json.stdout)).toMatchObject({
    entries: [{ subject: message.subject, message: message.message }],
  });
});
