/** A report as the built program writes it, in a real browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { anInstallation, daysAgo } from '../support/agent/installation.ts';
import {
  accessibilityFaults,
  htmlFaults,
  overflowFaults,
  smallTargets,
} from '../support/board/inspection.ts';
import { aPage } from '../support/pages/browser.ts';

/** A device with 40 days of logs that differ, and its report. */
async function aReport(): Promise<string> {
  const device = anInstallation();
  for (let day = 0; day < 40; day += 1) {
    const input = 1000 + 700 * (day % 5);
    device.logDay(daysAgo(day), { input, output: 9000, cache_write: 20_000, cache_read: 400_000 });
  }
  const file = join(device.home, 'report.html');
  const { status, stderr } = await device.runBuilt('report', '--out', file);
  expect([status, stderr]).toEqual([0, '']);
  return file;
}

test('a report keeps its policy, asks for nothing, and is accessible and narrow enough', async () => {
  const file = await aReport();
  const { href } = pathToFileURL(file);
  const { page, misdeeds } = await aPage(href.slice(0, href.lastIndexOf('/')));
  await page.goto(href);
  await page.evaluate(() =>
    document.querySelectorAll('details').forEach((one) => (one.open = true)),
  );

  expect(await htmlFaults(readFileSync(file, 'utf8'))).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await overflowFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityFaults(page, ['color-contrast'])).toEqual([]);
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await overflowFaults(page)).toEqual([]);
  }
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});

test('its style sheet applies, and print opens everything except the tables of charts', async () => {
  const { href } = pathToFileURL(await aReport());
  const { page } = await aPage(href.slice(0, href.lastIndexOf('/')));
  await page.goto(href);
  const low = page.locator('.history .low').first();
  const ofChart = page.locator('figure + details table').first();
  const weeks = page.locator('table', { hasText: /-W\d\d/ });

  expect(await low.evaluate((line) => getComputedStyle(line).stroke)).toContain('oklch');
  expect([await ofChart.isVisible(), await weeks.isVisible()]).toEqual([false, false]);
  await page.emulateMedia({ media: 'print' });
  expect([await ofChart.isVisible(), await weeks.isVisible()]).toEqual([false, true]);
});
