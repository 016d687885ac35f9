import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { logRoots } from '#agent/logs/files.ts';
import { carriedVariables } from '#agent/carried-variables.ts';
import { type Environment, cacheFolder, stateFolder, withHome } from '#agent/settings.ts';
import { codex } from '#core/readers/codex.ts';
import { readers } from '#core/readers/readers.ts';

/** Set by the user's account, regardless of how a program is started. */
const OF_THE_ACCOUNT = ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'];

test('a program that is started elsewhere gets every variable for folders', () => {
  const names = new Set<string>();
  const noting = new Proxy<Environment>({}, { get: (_, name) => void names.add(String(name)) });
  stateFolder(noting);
  cacheFolder(noting);
  for (const reader of readers) {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      logRoots(reader, noting, platform);
  }
  const asked = [...names].filter((name) => !OF_THE_ACCOUNT.includes(name));

  for (const { variables } of readers) {
    expect(asked).toEqual(expect.arrayContaining([...variables]));
  }
  const carried = carriedVariables(Object.fromEntries(asked.map((name) => [name, '/folder'])));

  expect(asked).toContain('CODEX_HOME');
  expect(Object.keys(carried).sort()).toEqual(asked.sort());
});

test.each(['CODEX_HOME', 'HOME'])('a control character in %s is reported', (name) => {
  expect(() => carriedVariables({ [name]: '/a\nb' })).toThrow(
    `${name} contains a control character`,
  );
});

test.each([
  ['linux', 'HOME'],
  ['win32', 'USERPROFILE'],
] as const)(
  'on %s, an environment without %s gets the home folder of the account',
  (platform, name) => {
    const { homedir } = userInfo();
    const roots = (env: Environment) => logRoots(codex, env, platform).map(({ path }) => path);

    for (const bare of [{}, { [name]: '' }]) {
      expect(withHome(bare, platform)).toEqual({ [name]: homedir });
      expect(roots(withHome(bare, platform))[0]).toContain(homedir);
    }
    expect(withHome({ [name]: '/home/ada' }, platform)).toEqual({ [name]: '/home/ada' });
  },
);
