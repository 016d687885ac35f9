/** Every operation of the API. */
import { createDeviceCode, enrollDevice, revokeDevice } from './devices.ts';
import { getBoardKeys } from './keys.ts';
import { getLeaderboard } from './leaderboard.ts';
import { getMe } from './me.ts';
import { getSession } from './session.ts';
import { submitSnapshot } from './snapshots.ts';

export const ROUTES = [
  getLeaderboard,
  getMe,
  submitSnapshot,
  createDeviceCode,
  enrollDevice,
  revokeDevice,
  getSession,
  getBoardKeys,
] as const;
