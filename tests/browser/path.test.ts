import { describe, expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { anInstallation, daysAgo } from '../support/agent/installation.ts';
import { runAdmin } from '../support/board/admin.ts';
import { type RunningServer, eventually, startServer } from '../support/http/server.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

/** The sign-in link that the admin command prints for a new operator. */
async function loginLink({ url, dataDir }: RunningServer, codename: string): Promise<string> {
  const env = { DATA_DIR: dataDir, BASE_URL: url };
  const { stdout } = await runAdmin(['login-link', '--new', codename], env);
  return stdout.trim();
}

describe.each([{ script: true }, { script: false }])(
  'the whole path, script: $script',
  (options) => {
    test('leads from an empty board to a rank', async () => {
      const server = await startServer();
      const { page, misdeeds } = await aPage(server.url, { ...options, width: 360 });
      const device = anInstallation();
      [1, 2, 3, 4, 5, 6, 7].forEach((days) => device.logDay(daysAgo(days), COUNTS));

      await page.goto(server.url);
      const empty = await page.locator('main').innerText();
      const widthOfEmpty = await overflowOf(page);
      await page.goto(await loginLink(server, 'ada'));
      const asked = await page.locator('main').innerText();
      await page.getByRole('button').click();
      await page.waitForURL(`${server.url}/settings`);
      await page.getByRole('button', { name: 'Add a device' }).click();
      const settings = await page.locator('main').innerText();
      const code = /[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(settings)?.[0] ?? '';
      const widthOfSettings = await overflowOf(page);
      const enrolled = await device.run('enroll', code, '--board', server.url);
      const submitted = await device.run('submit');
      const ranked = async () => (await fetch(`${server.url}/api/v1/leaderboard`)).text();
      await eventually(ranked, (text) => text.includes('"codename":"ada"'));
      await page.goto(server.url);
      await page.reload();
      const board = await page.locator('main').innerText();

      expect(empty).toContain('/install.sh | sh -s -- enroll CODE');
      expect(asked).toContain('ada');
      expect(enrolled).toMatchObject({ status: 0, stderr: '' });
      expect(submitted.status).toBe(0);
      expect(board).toContain('ada');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect([widthOfEmpty, widthOfSettings]).toEqual([0, 0]);
      expect(misdeeds).toEqual({ console: [], foreign: [] });
    });
  },
);
