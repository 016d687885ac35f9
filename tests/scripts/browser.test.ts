import { expect, test } from 'vitest';
import { browserOf } from '../../scripts/browser.mjs';

test.each([
  ['win32', 'x64', { channel: 'msedge' }],
  ['darwin', 'arm64', { channel: 'chrome' }],
  ['linux', 'arm64', { channel: 'chrome' }],
])('on %s %s, tests use an installed browser', async (platform, arch, browser) => {
  expect(await browserOf({ env: {}, platform, arch })).toEqual(browser);
});

test('CHROME_PATH names another browser', async () => {
  const env = { CHROME_PATH: '/usr/bin/chromium' };

  expect(await browserOf({ env, platform: 'linux', arch: 'x64' })).toEqual({
    executablePath: '/usr/bin/chromium',
  });
});
