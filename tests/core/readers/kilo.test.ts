import { expect, test } from 'vitest';
import { kilo } from '#core/readers/kilo.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(kilo);

test('finds the databases of Kilo, and one more that a variable names', () => {
  const at = { home: '/h', platform: 'linux' };
  const pathsWith = (env: Record<string, string>) => {
    return kilo.places({ ...at, env }).map(({ path }) => path);
  };
  const folders = ['/h/.local/share/kilo', '/h/.local/share/kilo/storage/message'];

  expect(pathsWith({})).toEqual(folders);
  expect(pathsWith({ KILO_DB: ':memory:' })).toEqual(folders);
  expect(pathsWith({ KILO_DB: 'x.db' })).toEqual([...folders, '/h/.local/share/kilo/x.db']);
  expect(pathsWith({ KILO_DB: '/a/x.db' })).toEqual([...folders, '/a/x.db']);
  expect(pathsWith({ XDG_DATA_HOME: '/x' })[0]).toBe('/x/kilo');
  expect(pathsWith({ KILO_DATA_DIR: '/k' })[0]).toBe('/k');
});
