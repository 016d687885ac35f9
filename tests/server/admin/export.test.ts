import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { perform } from '#core/cli/program.ts';
import { settingsFor } from '#server/admin/settings.ts';
import { terminalOf } from '#server/admin/command.ts';
import { exportPublicLog } from '#server/admin/commands/export.ts';
import { aDataDir, testContext } from '#tests/support/board/context.ts';

test.each([
  ['SIGINT', ['log.ndjson']],
  ['SIGTERM', ['log.ndjson']],
  ['SIGTERM', ['counts.parquet', '--parquet']],
] as const)('%s leaves no incomplete export as %j', async (signal, [file, ...options]) => {
  const { baseUrl, dataDir } = testContext().config;
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('BASE_URL', baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => true);
  onTestFinished(() => kill.mockRestore());
  const folder = aDataDir();
  const call = { name: 'export', command: exportPublicLog, args: [join(folder, file), ...options] };
  const exported = perform(call, terminalOf(process), settingsFor('export', true, {}));
  const stopped = expect(exported).rejects.toThrow('Cannot write');
  while (readdirSync(folder).length === 0) await new Promise(setImmediate);

  process.emit(signal, signal);
  expect(readdirSync(folder)).toEqual([]);
  expect(kill).toHaveBeenCalledWith(process.pid, signal);
  await stopped;
  expect(process.listenerCount(signal)).toBe(0);
});
