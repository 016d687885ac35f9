import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '#server/config/data-folder.ts';
import { aDataDir } from '#tests/support/board/context.ts';

/** A folder of the program, with the file that only a checkout has. */
function aCheckout(): string {
  const root = aDataDir();
  writeFileSync(join(root, 'astro.config.mjs'), '');
  return root;
}

const HOME = resolve('/home/ada');
const aSystem = (platform: NodeJS.Platform, shared = '/nowhere') => {
  return { platform, shared, home: () => HOME };
};

describe('the data folder', () => {
  test('of a checkout is in the checkout', () => {
    const root = aCheckout();
    const STATE_DIRECTORY = '/var/lib/other';
    expect(dataFolder({ STATE_DIRECTORY }, root)).toBe(join(root, 'db', 'data'));
    expect(dataFolder({ DATA_DIR: 'mine' }, root)).toBe(join(root, 'mine'));
    expect(dataFolder({ DATA_DIR: '' }, root)).toBe(join(root, 'db', 'data'));
  });

  test('of another build is DATA_DIR, relative to the working directory', () => {
    const root = aDataDir();
    expect(dataFolder({ DATA_DIR: 'mine', STATE_DIRECTORY: '/a' }, root)).toBe(resolve('mine'));
  });

  test('of another build is what systemd created, for the service and then for a shell', () => {
    const [root, shared] = [aDataDir(), aDataDir()];
    const linux = aSystem('linux', shared);
    expect(dataFolder({ STATE_DIRECTORY: '/srv/a:/srv/b' }, root, linux)).toBe('/srv/a');
    expect(dataFolder({}, root, linux)).toBe(shared);
    expect(dataFolder({}, root, aSystem('darwin', shared))).not.toBe(shared);
  });

  test.each([
    ['linux', {}, '.local/share'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '.local/share'],
    ['linux', { XDG_DATA_HOME: resolve('/xdg') }, resolve('/xdg')],
    ['freebsd', {}, '.local/share'],
    ['darwin', { XDG_DATA_HOME: resolve('/xdg') }, 'Library/Application Support'],
    ['win32', {}, 'AppData/Local'],
    ['win32', { LOCALAPPDATA: resolve('/local') }, resolve('/local')],
  ] as const)('of a user on %s with %j is in %s', (platform, environment, folder) => {
    const found = dataFolder(environment, aDataDir(), aSystem(platform));
    expect(found).toBe(join(resolve(HOME, folder), 'opbench-board'));
  });

  test('must be set for a user without a home folder', () => {
    const home = () => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    const system = { ...aSystem('linux'), home };
    expect(() => dataFolder({}, aDataDir(), system)).toThrow('DATA_DIR: must be set');
    expect(dataFolder({ DATA_DIR: '/x' }, aDataDir(), system)).toBe(resolve('/x'));
  });
});
