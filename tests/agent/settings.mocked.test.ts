import { describe, expect, test, vi } from 'vitest';
import { overview } from '#agent/commands.ts';
import { carriedVariables } from '#agent/carried-variables.ts';
import { account, homeFolder, stateFolder, withHome } from '#agent/settings.ts';
import { asTyped } from '#agent/state/copy.ts';

/** As in a container that runs with any user ID. */
vi.mock(import('node:os'), async (original) => ({
  ...(await original()),
  userInfo: () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  },
}));

describe('a user without an account and without HOME', () => {
  test('gets an error that says what to do', () => {
    expect(account()).toBeNull();
    expect(() => homeFolder(withHome({}))).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: expect.stringContaining('HOME is not set'),
        hint: expect.stringContaining('Set HOME'),
      }),
    );
  });

  test('can use OPBENCH_HOME, and read help and notes', () => {
    expect(stateFolder(withHome({ OPBENCH_HOME: '/state' }))).toBe('/state');
    expect(asTyped({ environment: {}, file: '/x.mjs' }, 'Run: opbench scan')).toContain(
      'opbench scan',
    );
    expect(overview(null)).toContain('enroll CODE');
  });

  test('carries HOME, because the system cannot tell it to a timer', () => {
    expect(carriedVariables({ HOME: '/home/ada' })).toEqual({ HOME: '/home/ada' });
  });
});
