/** Every operation of the API. */
import { createDeviceCode, enrollDevice, revokeDevice } from './devices.ts';
import { getOpenApi } from './interface.ts';
import { getBoardKeys } from './keys.ts';
import { getLeaderboard } from './leaderboard.ts';
import { getLog } from './log.ts';
import { getMe } from './me.ts';
import { getMetricLeaders } from './metrics.ts';
import {
  getOperator,
  getOperatorHistory,
  getOperatorKeys,
  getOperatorRecords,
} from './operators.ts';
import type { Route } from './route.ts';
import { getSession } from './session.ts';
import { submitSnapshot } from './snapshots.ts';
import {
  getSubmission,
  getSubmissionEnvelope,
  listSubmissions,
  withdrawSubmission,
} from './submissions.ts';

export const ROUTES = [
  getLeaderboard,
  getMetricLeaders,
  getOperator,
  getOperatorHistory,
  getOperatorRecords,
  getOperatorKeys,
  listSubmissions,
  getSubmission,
  getSubmissionEnvelope,
  withdrawSubmission,
  getLog,
  getBoardKeys,
  submitSnapshot,
  createDeviceCode,
  enrollDevice,
  revokeDevice,
  getMe,
  getSession,
  getOpenApi,
] as unknown as readonly Route[];
