/** Every operation of the API. */
import { deleteAccount } from './account-delete.ts';
import { exportAccount } from './account-export.ts';
import { setDataOptOut } from './account.ts';
import { removeAvatar, setAvatar } from './avatar.ts';
import { getChallenge, listChallenges } from './challenges.ts';
import { contactKeeper } from './contact.ts';
import { getCorpus } from './corpus.ts';
import { listCounts } from './counts.ts';
import { listDays } from './days.ts';
import {
  createDeviceCode,
  enrollDevice,
  listDevices,
  listKnownDevices,
  renameDevice,
  revokeDevice,
} from './devices.ts';
import { getHallOfSignal } from './hall-of-signal.ts';
import { getImprovements } from './improvements.ts';
import { parseUsage } from './ingest.ts';
import { getOpenApi } from './interface.ts';
import { getBoardKeys } from './keys.ts';
import { getLeaderboard } from './leaderboard.ts';
import { getLog } from './log.ts';
import { MANIFESTS } from './mcp/manifests.ts';
import { getMe } from './me.ts';
import { getMetricLeaders } from './metrics.ts';
import {
  getAuthorizationServer,
  getMcpProtectedResource,
  getOpenidConfiguration,
  getProtectedResource,
  getProviderKeys,
  getUserInfo,
} from './oauth.ts';
import {
  getOperator,
  getOperatorHistory,
  getOperatorKeys,
  getOperatorRecords,
} from './operators.ts';
import { getOperatorPeers, getPeers } from './peers.ts';
import { getProfile, setCodename, updateProfile } from './profile.ts';
import type { Route } from './route.ts';
import { getSession } from './session.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { submitSnapshot } from './snapshots.ts';
import {
  getSubmission,
  getSubmissionEnvelope,
  listSubmissions,
  restoreSubmission,
  withdrawSubmission,
} from './submissions.ts';

export const ROUTES = [
  getLeaderboard,
  listDays,
  getMetricLeaders,
  getHallOfSignal,
  listChallenges,
  getChallenge,
  getOperator,
  getOperatorHistory,
  getOperatorRecords,
  getOperatorKeys,
  getOperatorPeers,
  getCorpus,
  listSubmissions,
  getSubmission,
  getSubmissionEnvelope,
  withdrawSubmission,
  restoreSubmission,
  getLog,
  getBoardKeys,
  submitSnapshot,
  parseUsage,
  createDeviceCode,
  listKnownDevices,
  enrollDevice,
  listDevices,
  renameDevice,
  revokeDevice,
  getMe,
  listCounts,
  getPeers,
  getImprovements,
  getProfile,
  updateProfile,
  setCodename,
  setAvatar,
  removeAvatar,
  setDataOptOut,
  exportAccount,
  deleteAccount,
  contactKeeper,
  getSession,
  listSessions,
  endOtherSessions,
  endSession,
  getProtectedResource,
  getMcpProtectedResource,
  getAuthorizationServer,
  getOpenidConfiguration,
  getProviderKeys,
  getUserInfo,
  getOpenApi,
  ...MANIFESTS,
] as unknown as readonly Route[];
