/** What a device computes is the same on every version of Node.js that can run `opbench`. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anInstallation, daysAgo } from '#tests/support/agent/installation.ts';
import { folderOfNode } from '#tests/support/agent/npm.ts';
import { built, start } from '#tests/support/http/process.ts';

test.for(['20', '22'])('intervals have the same digits on Node %s', async (major, { skip }) => {
  const other = folderOfNode(major);
  if (other === null) return skip(`no Node ${major} was found`);
  const device = anInstallation();
  for (let day = 1; day <= 60; day += 1) {
    device.logDay(daysAgo(day), {
      input: 900 + ((day * 37) % 101) ** 2,
      output: 5000 + ((day * 53) % 97) * 100,
      cache_write: 20_000,
      cache_read: 80_000 + ((day * 29) % 89) * 1000,
    });
  }
  const estimate = async (node: string) => {
    const words = [built('opbench.mjs'), 'scan', '--by', 'week', '--json'];
    const { status, stdout } = await start(node, words, { HOME: device.home }).finished;
    const { estimate, rows } = JSON.parse(stdout) as Record<'estimate' | 'rows', unknown>;
    return { status, estimate, rows };
  };

  const here = await estimate(process.execPath);

  expect(await estimate(join(other, 'node'))).toEqual(here);
  expect(JSON.stringify(here)).toMatch(/"interval":\[\d+\.\d{6,},\d+\.\d+\]/);
});
