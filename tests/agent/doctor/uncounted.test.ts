import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DoctorReport } from '#agent/device-reports.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

test('names assistants on this device that cannot be counted, and no others', async () => {
  const home = aFolder();
  mkdirSync(join(home, '.aider'));
  mkdirSync(join(home, '.local', 'share', 'crush'), { recursive: true });
  const device = {
    ...aDeviceOf(testContext()),
    environment: { HOME: home, PATH: join(home, 'no-programs') },
  };
  const [json, text] = [anOutput(), anOutput()];

  expect(await runCommand(device, 'doctor', ['--offline', '--json'], json)).toBe(0);
  await runCommand(device, 'doctor', ['--offline'], text);

  const { uncounted } = DoctorReport.parse(JSON.parse(json.results.join('')));
  expect(uncounted.map(({ name, path }) => [name, path])).toEqual([
    ['Aider', join(home, '.aider')],
    ['Crush', join(home, '.local', 'share', 'crush')],
  ]);
  expect(text.results.join('').replaceAll(/\s+/g, ' ')).toContain(
    'Crush cannot be counted. It stores the size of the last request only',
  );
});
