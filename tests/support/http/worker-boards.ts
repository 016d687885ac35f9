/** Boards that all files of a test worker read. They do not publish on a schedule, and their operators never change. */
import { daysAgo } from '../agent/installation.ts';
import { anActive } from '../board/boards.ts';
import { bucketsOfDays } from '../board/builders.ts';
import { aFilledFolder } from '../board/filled-folder.ts';
import { workerServer } from './server.ts';

const STILL = { REFRESH_SECONDS: '3600' };

/** Has no submissions, and never gets any. */
export const plainBoard = workerServer(() => ({ env: STILL }));

/** Has operators `op-0` to `op-51`, every third with another tool, and `ada`. None has a device or a submission. */
export const filledBoard = workerServer(() => ({
  dataDir: aFilledFolder(52, (ctx) => {
    anActive(ctx, 'ada', bucketsOfDays(10, daysAgo(11), { cache_read: 1_111_111 }));
  }),
  env: STILL,
}));
