/** The settings that commands find through the note of a server. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockData } from '#db/engine/data-lock.ts';
import { notedSettings, readServedConfig, servedSettings } from '#server/running-server.ts';
import { endServerNote, lastServerNote, leaveServerNote } from '#server/server-note.ts';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';

type Settings = Record<string, string>;

const ADDRESS = {
  started_at: '2026-03-10T12:00:00.000Z',
  host: '127.0.0.1',
  port: 4330,
  base_url: 'https://bench.example.org',
};

/** The note of a server with these settings, of which some are from a file, and the lock of its folder. */
function aServer(settings: Settings, inFile: Settings | null = null) {
  const dataDir = aDataDir();
  const path = join(aDataDir(), 'board.env');
  const rewrite = (values: Settings) => {
    const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(path, lines.join(''));
  };
  if (inFile) rewrite(inFile);
  const file = { env_file: inFile && path, cwd: '/srv/board' };
  const noted = notedSettings({ ...inFile, ...settings }, ROOT);
  leaveServerNote(dataDir, { ...ADDRESS, ...file, ...noted });
  const lock = lockData(dataDir);
  onTestFinished(() => lock?.release());
  const stop = () => {
    endServerNote(dataDir, file);
    lock?.release();
  };
  const served = (own: Settings = {}) => servedSettings({ DATA_DIR: dataDir, ...own });
  return { dataDir, path, rewrite, stop, kill: () => lock?.release(), served };
}

describe('a command next to a running server', () => {
  test('has the settings of that server', () => {
    const { served, dataDir } = aServer({ PORT: '0', HOST: '0.0.0.0', TRUST_PROXY: 'loopback' });
    const settings = served();
    expect(settings).toMatchObject({
      environment: { PORT: '0', HOST: '0.0.0.0', TRUST_PROXY: 'loopback', DATA_DIR: dataDir },
      server: ADDRESS,
      unknown: [],
      unread: null,
    });
    expect(() => readServedConfig(settings)).toThrow('BASE_URL: must be set');
    const whole = served({ BASE_URL: 'https://own.example' });
    expect(readServedConfig(whole)).toMatchObject({ port: 4330, baseUrl: 'https://own.example' });
  });

  test('prefers its own environment, then the file of the server, then the note', () => {
    const inFile = { BOARD_NAME: 'File', COHORTS: 'a=A', LOG_REQUESTS: 'none' };
    const { served, rewrite } = aServer({ CONTACT_EMAIL: 'a@b.example' }, inFile);
    rewrite({ BOARD_NAME: 'Changed', COHORTS: 'a=B', OTHER: 'x', DATA_DIR: '/elsewhere' });
    const { environment } = served({ BOARD_NAME: 'Own', HOST: '' });
    expect(environment).toMatchObject({
      BOARD_NAME: 'Own',
      COHORTS: 'a=B',
      LOG_REQUESTS: 'none',
      CONTACT_EMAIL: 'a@b.example',
      HOST: '',
    });
    expect(environment).not.toHaveProperty('OTHER');
    expect(environment['DATA_DIR']).not.toBe('/elsewhere');
  });

  test('knows secrets only from its environment or a file', () => {
    const secrets = { SMTP_URL: 'smtps://a:hunter2@mail.example', GITHUB_CLIENT_SECRET: 'hunter2' };
    const open = { MAIL_FROM: 'a@b.example', GITHUB_CLIENT_ID: 'id' };
    const inFile = aServer({}, { ...open, ...secrets });
    expect(inFile.served()).toMatchObject({ environment: secrets, unknown: [], unread: null });
    rmSync(inFile.path);
    expect(inFile.served()).toMatchObject({
      unknown: ['SMTP_URL', 'GITHUB_CLIENT_SECRET'],
      unread: `${inFile.path} does not exist`,
    });
    const { served } = aServer({ ...open, ...secrets });
    expect(served({ SMTP_URL: '' }).unknown).toEqual(['GITHUB_CLIENT_SECRET']);
    // With placeholders, the settings are complete.
    expect(readServedConfig(served()).signIn).toMatchObject({
      github: { clientId: 'id' },
      mail: { smtpUrl: expect.not.stringContaining('hunter2') as string },
    });
  });
});

describe('the note', () => {
  test('never contains a secret', () => {
    const noted = notedSettings(
      {
        AUTH_CLIENT_SECRET: 'hunter2',
        GITHUB_API_URL: 'https://me:hunter2@api.example',
        GITHUB_CLIENT_SECRET: 'hunter2',
        SMTP_URL: 'smtp://hunter2.example',
        TWITTER_CLIENT_SECRET: 'hunter2',
        PASSWORD: 'hunter2',
        DATA_DIR: '/srv/x',
        BOARD_NAME: '',
        BOARD_DIR: 'own',
        AUTH_URL: 'https://id.example',
      },
      aDataDir(),
    );
    expect(JSON.stringify(noted)).not.toContain('hunter2');
    expect(noted.settings).toEqual({
      BOARD_DIR: join(process.cwd(), 'own'),
      AUTH_URL: 'https://id.example',
    });
    expect(noted.secrets).toHaveLength(5);
  });

  test('of version 0.12.0 gives the address only', () => {
    const { dataDir, served } = aServer({ TRUST_PROXY: 'loopback' });
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ pid: process.pid, ...ADDRESS }));
    const settings = served();
    expect(settings).toEqual({
      environment: { DATA_DIR: dataDir },
      server: { pid: process.pid, ...ADDRESS, settings: {}, secrets: [] },
      unknown: [],
      unread: null,
    });
    expect(readServedConfig(settings)).toMatchObject({ port: 4330, baseUrl: ADDRESS.base_url });
  });

  test('of a server that has ended gives only its file', () => {
    for (const end of ['stop', 'kill'] as const) {
      const server = aServer({ PORT: '4330' }, { BASE_URL: 'https://a.example' });
      server[end]();
      expect(server.served()).toEqual({
        environment: { BASE_URL: 'https://a.example', DATA_DIR: server.dataDir },
        server: null,
        unknown: [],
        unread: null,
      });
      rmSync(server.path);
      expect(server.served().unread).toContain('does not exist');
      // Only a killed server leaves what looks like the note of a running one.
      expect(lastServerNote(server.dataDir) === null).toBe(end === 'stop');
    }
  });

  test('is gone once a server without a file has stopped', () => {
    const { dataDir, stop, served } = aServer({ PORT: '4330' });
    stop();
    expect(served()).toEqual({
      environment: { DATA_DIR: dataDir },
      server: null,
      unknown: [],
      unread: null,
    });
  });
});
