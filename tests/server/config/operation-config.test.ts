import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

describe('METRICS_LISTEN', () => {
  test.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['10.0.0.7:9464', { host: '10.0.0.7', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
  ])('%s is an address', (text, address) => {
    expect(readConfig({ METRICS_LISTEN: text }).metrics).toEqual(address);
  });

  test.each([
    '65536',
    ':9464',
    '::1:9464',
    '[127.0.0.1]:9464',
    'board.example:9464',
    '9464x',
    '-1',
    '127.0.0.1',
    '[fe80::1%eth0]:1',
  ])('%s is rejected with examples', (text) => {
    expect(() => readConfig({ METRICS_LISTEN: text })).toThrow(
      `METRICS_LISTEN: must be a port from 0 to 65535, or an IP address and a port, such as 9464, 127.0.0.1:9464 or [::1]:9464 (it is "${text}")`,
    );
  });

  test('is off if it is not set', () => {
    expect(readConfig({ METRICS_LISTEN: '' }).metrics).toBe(null);
  });
});

describe('BACKUP_DIR', () => {
  const BACKUP_DIR = process.platform === 'win32' ? 'C:\\backups' : '/backups';

  test('makes a backup each day and keeps two weeks of them, unless other settings change that', () => {
    expect(readConfig({ BACKUP_DIR }).backup).toEqual({
      folder: BACKUP_DIR,
      keep: 14,
      atMinutes: 200,
    });
    expect(readConfig({ BACKUP_DIR, BACKUP_KEEP: '3', BACKUP_AT: '23:59' }).backup).toEqual({
      folder: BACKUP_DIR,
      keep: 3,
      atMinutes: 1439,
    });
    expect(readConfig({}).backup).toBe(null);
  });

  test.each([
    [{ BACKUP_DIR: 'backups' }, 'BACKUP_DIR: must be the absolute path of a folder'],
    [{ BACKUP_DIR, BACKUP_KEEP: '0' }, 'BACKUP_KEEP: must be a whole number from 1 to 30'],
    [{ BACKUP_DIR, BACKUP_KEEP: '31' }, 'BACKUP_KEEP: must be a whole number from 1 to 30'],
    [{ BACKUP_DIR, BACKUP_KEEP: '1.5' }, 'BACKUP_KEEP: must be a whole number from 1 to 30'],
    [{ BACKUP_DIR, BACKUP_KEEP: 'all' }, 'BACKUP_KEEP: must be a whole number from 1 to 30'],
    [{ BACKUP_DIR, BACKUP_AT: '24:00' }, 'BACKUP_AT: must be a time in UTC from 00:00 to 23:59'],
    [{ BACKUP_DIR, BACKUP_AT: '3:20' }, 'BACKUP_AT: must be a time in UTC from 00:00 to 23:59'],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  test('is needed by the other settings', () => {
    expect(readConfig({ BACKUP_KEEP: '3', BACKUP_AT: '03:00' }).idleSettings).toEqual([
      'BACKUP_KEEP (BACKUP_DIR is not set)',
      'BACKUP_AT (BACKUP_DIR is not set)',
    ]);
  });
});
