/** Restoring a board at another address. */
import { expect, test } from 'vitest';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { databasePath } from '#server/config/config.ts';
import { signedAddress } from '#server/device/signed-address.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { aDataDir, testContext } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aBackedUpBoard, restoreInto } from '#tests/support/board/restoring.ts';

test('restore names the earlier address if it differs', async () => {
  const { file } = await aBackedUpBoard();
  const settings = { DATA_DIR: aDataDir(), BASE_URL: 'https://new.example' };
  const { status, stderr } = await runAdmin(['restore', file], settings);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(`The board was at ${BASE_URL}, but BASE_URL is https://new.example`),
  ]);
  expect((await restoreInto(aDataDir(), file)).stderr).not.toContain('The board was at');
});

test('a board without signed submissions has no earlier address', () => {
  const board = inspectDatabase(databasePath(testContext().config));
  expect(signedAddress(board)).toBeNull();
  board.close();
});
