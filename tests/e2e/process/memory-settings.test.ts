/** The server's process has the settings of the allocator and of V8, whatever started it. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { ALLOCATOR, SMALL_YOUNG_GENERATION } from '#server/process/memory-settings.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { built, start, untilServing } from '#tests/support/http/process.ts';

const SETTINGS = Object.entries(ALLOCATOR).map((setting) => setting.join('='));

test.skipIf(process.platform !== 'linux')(
  'serve starts again with the settings, once',
  async () => {
    const env = { DATA_DIR: aDataDir(), PORT: '0', A_SETTING: 'kept' };
    const started = start(process.execPath, [built('opbench-board.mjs'), 'serve'], env);
    onTestFinished(() => void started.child.kill('SIGKILL'));
    await untilServing(started);

    const { pid } = started.child;
    const partsOf = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0');
    expect(partsOf('environ')).toEqual(expect.arrayContaining([...SETTINGS, 'A_SETTING=kept']));
    expect(partsOf('cmdline').filter((word) => word === SMALL_YOUNG_GENERATION)).toHaveLength(1);
    started.child.kill('SIGTERM');
    const { status, stderr } = await started.finished;
    expect(status).toBe(0);
    expect(stderr).not.toContain('Warning');
  },
);
