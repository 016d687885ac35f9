import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockData } from '#db/engine/data-lock.ts';
import { roomCheck } from '#server/admin/doctor/disk.ts';
import { notedSettings } from '#server/running-server.ts';
import { leaveServerNote } from '#server/server-note.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';
import { AFTER, NOT_RUNNING, aBoard, examine } from '#tests/support/board/doctor.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { spoilTable } from '#tests/support/http/spoilt-page.ts';

describe('a board', () => {
  test('without problems reports the head of its log', async () => {
    const { ctx, settings } = await aBoard();
    const { checks, log_head, ...found } = await examine(settings);

    expect(found).toMatchObject(AFTER);
    const { index: log_index, entry_hash } = ctx.store.log.head() ?? {};
    expect(log_head).toEqual({ log_index, entry_hash });
    expect(checks.every(({ severity, advice }) => severity === 'ok' || advice !== '')).toBe(true);
  });

  test('that was never started has no problems, and is not created', async () => {
    const DATA_DIR = join(aDataDir(), 'none');
    const { status, told } = await examine({ DATA_DIR });
    expect([status, told]).toEqual([
      0,
      [
        `warning data folder: ${DATA_DIR} does not exist yet`,
        'warning database: there is no database yet',
        NOT_RUNNING,
      ],
    ]);
    expect((await examine({ DATA_DIR })).told).toEqual(told);
  });

  test('at another address than devices signed for causes a warning', async () => {
    const { settings } = await aBoard();
    const { status, told } = await examine({ ...settings, BASE_URL: 'https://new.example' });
    expect([status, told.filter((line) => line.includes('address'))]).toEqual([
      0,
      [
        expect.stringMatching(
          /^warning address: .* http:\/\/127\.0\.0\.1:4321.* https:\/\/new\.example$/,
        ),
      ],
    ]);
  });

  test('reports the age of its last backup, and its own copies', async () => {
    const { settings, change } = await aBoard();
    const made = (at: string) =>
      change(`INSERT INTO audit_log (action, subject, created_at) VALUES ('backup', 'x', '${at}')`);
    made('2026-03-01T12:00:00.000Z');
    expect((await examine(settings)).told).toContain('warning backup: the last one is 9 days old');

    made('2026-03-09T12:00:00.000Z');
    mkdirSync(join(settings.DATA_DIR, 'backups'));
    writeFileSync(join(settings.DATA_DIR, 'backups', 'before-1.sqlite'), 'x'.repeat(2_000));
    const { checks } = await examine(settings);
    const texts = checks.filter(({ about }) => about === 'backup').map(({ text }) => text);
    expect(texts).toEqual([
      'the last one is 24 hours old',
      expect.stringContaining('1 file from upgrades and restores (2 kB), each kept for 30 days'),
    ]);
  });

  test.skipIf(process.platform === 'win32')('must be accessible only to its own user', async () => {
    const { settings, path } = await aBoard();
    chmodSync(path, 0o644);
    const { told, checks } = await examine(settings);
    expect(told[0]).toMatch(/^warning data folder: .*opbench\.sqlite holds secrets/);
    expect(checks.map(({ advice }) => advice)).toContain(`Run: chmod 600 ${path}`);
  });
});

describe('a database', () => {
  test.each([
    ['is not a database', (bytes: Buffer) => bytes.fill('x'), /is not a board's database/],
    [
      'is truncated',
      (bytes: Buffer) => bytes.subarray(0, 40_960),
      /damaged|malformed|cannot be read/,
    ],
  ])('that %s is a problem', async (_, damage, words) => {
    const DATA_DIR = aDataDir();
    const { ctx, path } = await aBoard();
    ctx.store.close();
    writeFileSync(join(DATA_DIR, 'opbench.sqlite'), damage(readFileSync(path)));

    const { status, told, printed } = await examine({ DATA_DIR });

    expect([status, told.join('\n')]).toEqual([3, expect.stringMatching(words)]);
    expect(printed).toContain('opbench-board restore FILE');
    expect(printed).not.toContain(' at file:');
  });

  test('with a damaged page is reported, and the other checks still run', async () => {
    const { ctx, path, change, settings } = await aBoard();
    ctx.store.close();
    change(
      `INSERT INTO audit_log (created_at, action, subject) VALUES ('${ctx.now().toISOString()}', 'backup', 'x')`,
    );
    spoilTable(path, 'log_entries');

    const { status, told, checks } = await examine(settings);

    expect([status, told]).toEqual([
      3,
      [expect.stringMatching(/^problem database: damaged: /), NOT_RUNNING],
    ]);
    expect(checks).toContainEqual(
      expect.objectContaining({
        about: 'backup',
        severity: 'ok',
        text: 'the last one is 60 seconds old',
      }),
    );
  });

  test.each([
    [`UPDATE log_entries SET received_at = '2026-03-10T11:00:00Z' WHERE log_index = 2`, /log: .*2/],
    ['INSERT INTO tiles VALUES (1, 0, zeroblob(32))', /^problem log: 1 stored tiles/],
  ])('whose log was changed is a problem: %s', async (sql, says) => {
    const { settings, change } = await aBoard();
    change(sql);
    const { status, told } = await examine(settings);
    expect([status, told[0]]).toEqual([3, expect.stringMatching(says)]);
  });

  test('of a newer program is a problem, of an older one a warning', async () => {
    const { settings, change } = await aBoard();
    change(`DELETE FROM migrations WHERE name = '0012-bounds.sql'`);
    const older = await examine(settings);
    change(`INSERT INTO migrations VALUES ('9999-later.sql', '2030-01-01')`);
    const newer = await examine(settings);

    expect([older.status, older.told[0]]).toEqual([
      0,
      expect.stringMatching(/^warning database: .*earlier version/),
    ]);
    expect([newer.status, newer.told[0]]).toEqual([
      3,
      expect.stringMatching(/^problem database: .*newer version/),
    ]);
  });
});

describe('a configuration', () => {
  test('that is invalid is reported setting by setting', async () => {
    const { status, told, checks } = await examine({
      PORT: 'x',
      GITHUB_CLIENT_ID: 'a',
      SMTP_URL: 'http://ada:hunter2@mail.example.org',
    });
    expect([status, told]).toEqual([
      1,
      [
        expect.stringContaining('problem configuration: PORT: '),
        expect.stringContaining('problem configuration: SMTP_URL: '),
      ],
    ]);
    expect(JSON.stringify(checks)).not.toContain('hunter2');
  });

  test('with risky or useless settings causes warnings', async () => {
    const { told } = await examine(
      { DATA_DIR: aDataDir(), BASE_URL: 'http://bench.example.org', AUTH_CLIENT_ID: 'x' },
      '--offline',
    );
    expect(told).toEqual(
      expect.arrayContaining([
        'warning configuration: no effect: AUTH_CLIENT_ID (AUTH_URL is not set)',
        expect.stringContaining('BASE_URL begins with http://'),
        expect.stringContaining('TRUST_PROXY is not set'),
        expect.stringContaining('opbench-board login-link'),
      ]),
    );
  });
});

describe('sign-in', () => {
  test.each([
    ['http://bench.example.org', {}, true],
    ['https://bench.example.org', { PASSKEYS: 'off' }, true],
    ['https://bench.example.org', {}, false],
  ])('at %s with %j causes a warning: %s', async (url, env, isWarned) => {
    const { told } = await examine({ DATA_DIR: aDataDir(), BASE_URL: url, ...env });
    const isTold = told.some((line) => line.includes('only with a link that you create'));
    expect(isTold).toBe(isWarned);
  });
});

describe('the disk', () => {
  test.each([
    [99e6, 1e6, 'problem', '99 MB free; the database uses 1 MB'],
    [1e9, 6e8, 'warning', '1 GB free; the database uses 600 MB'],
    [1.25e9, 6e8, 'ok', '1.25 GB free; the database uses 600 MB'],
  ])('with %i bytes free and a database of %i is %s', (free, used, severity, text) => {
    expect(roomCheck(free, used)).toMatchObject({ severity, text });
  });
});

describe('a server', () => {
  test('is found by its note, whatever PORT is, while it uses the data folder', async () => {
    const { settings } = await aBoard();
    const lock = lockData(settings.DATA_DIR);
    const text = '{"status":"ready","reasons":[]}';
    const server = createServer((_, response) => void response.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const address = {
      started_at: '2026-03-10T12:00:00.000Z',
      host: '127.0.0.1',
      base_url: BASE_URL,
    };
    const note = { ...address, settings: {}, secrets: [] };
    const serverText = async (given: Record<string, string>) => {
      const { checks } = await examine({ ...settings, ...given });
      return checks.find(({ about }) => about === 'server')?.text;
    };

    leaveServerNote(settings.DATA_DIR, { ...note, port });
    const ready = `the board is running and ready (http://127.0.0.1:${port}`;
    expect(await serverText({})).toContain(ready);
    expect(await serverText({ PORT: '9' })).toContain(ready);

    lock?.release();
    expect(await serverText({ PORT: '9' })).toContain(
      `the board is not running: the last server (process ${process.pid}, started 2026-03-10T12:00:00.000Z) ended`,
    );
  });

  test('has secrets that doctor reports as not checked', async () => {
    const { settings } = await aBoard();
    const lock = lockData(settings.DATA_DIR);
    onTestFinished(() => lock?.release());
    const address = { started_at: '2026-03-10T12:00:00.000Z', host: '127.0.0.1', port: 9 };
    const given = {
      BASE_URL: 'https://bench.example',
      TRUST_PROXY: 'loopback',
      SMTP_URL: 'smtps://a:b@127.0.0.1:1',
      MAIL_FROM: 'a@b.example',
    };
    const noted = notedSettings(given, ROOT);
    const env_file = join(aDataDir(), 'none.env');
    const base_url = 'https://bench.example';
    leaveServerNote(settings.DATA_DIR, { ...address, base_url, env_file, ...noted });

    const { checks } = await examine({ DATA_DIR: settings.DATA_DIR });
    lock?.release();
    const after = await examine({ DATA_DIR: settings.DATA_DIR });

    const doubts = checks.filter(({ about, severity }) => {
      return about === 'mail' || (about === 'configuration' && severity !== 'ok');
    });
    expect(doubts).toEqual([
      expect.objectContaining({
        severity: 'warning',
        text: `not checked: SMTP_URL, because ${env_file} does not exist`,
        advice: expect.stringContaining('--env-file FILE') as string,
      }),
    ]);
    expect(after.told[0]).toMatch(/^warning configuration: .* ran last .* does not exist$/);
  });

  test('that was killed is not confused with the process that uses the data folder now', async () => {
    const { settings } = await aBoard();
    const lock = lockData(settings.DATA_DIR);
    onTestFinished(() => lock?.release());
    const gone = spawnSync(process.execPath, ['--version']).pid;
    const note = { pid: gone, started_at: '2026-03-10T12:00:00.000Z', host: '127.0.0.1', port: 1 };
    const path = join(settings.DATA_DIR, 'server.json');
    writeFileSync(path, JSON.stringify({ ...note, base_url: BASE_URL }));

    const stale = await examine({ ...settings, PORT: '9' });
    writeFileSync(path, '{"pid":');
    const torn = await examine({ ...settings, PORT: '9' });

    for (const { told } of [stale, torn]) {
      expect(told[0]).toContain('no response from http://127.0.0.1:9/readyz');
    }
  });

  test('that uses the data folder must respond at the configured address', async () => {
    const { settings } = await aBoard();
    const lock = lockData(settings.DATA_DIR);
    onTestFinished(() => lock?.release());
    const at = async (text: string, status = 200) => {
      const server = createServer((_, response) => void response.writeHead(status).end(text));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const PORT = String((server.address() as AddressInfo).port);
      return (await examine({ ...settings, PORT })).told[0];
    };

    expect(await at('{"status":"ready","reasons":[]}')).toContain('has not been published yet');
    expect(await at('{"status":"ready","reasons":["Old pages"]}')).toBe(
      'warning server: Old pages',
    );
    expect(await at('{"status":"x","reasons":["Full"]}', 503)).toBe('problem server: Full');
    expect(await at('hello')).toContain('is not an Opbench board');
    const { told } = await examine({ ...settings, PORT: '9' });
    expect(told[0]).toContain('no response from http://127.0.0.1:9/readyz');
  });
});

test('prints each check on a line, the advice below it, and the totals', async () => {
  const { stdout } = await runAdmin(['doctor'], { DATA_DIR: join(aDataDir(), 'none') });
  expect(stdout).toMatch(/^ok {7}program: opbench-board \S+ on Node \S+\n/);
  expect(stdout).toContain('\nwarning  server: the board is not running\n         Start it: ');
  expect(stdout).toMatch(/\n0 problems, 3 warnings\n$/);
});

test('takes no other arguments', async () => {
  for (const words of [['x'], ['--online']]) {
    expect(await runAdmin(['doctor', ...words])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('. It takes --offline and --json') as string,
    });
  }
});
