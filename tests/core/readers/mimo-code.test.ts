import { expect, test } from 'vitest';
import { mimoCode } from '#core/readers/mimo-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(mimoCode);

test('finds the database in its own home folder if there is one', () => {
  const at = { home: '/h', platform: 'darwin' };

  expect(mimoCode.places({ ...at, env: {} })[0]).toEqual({
    path: '/h/.local/share/mimocode',
    logs: ['mimocode.db', 'mimocode-*.db'],
  });
  expect(mimoCode.places({ ...at, env: { MIMOCODE_HOME: '/m/' } })[0]?.path).toBe('/m/data');
});
