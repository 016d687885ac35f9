/** Every operation of the API, and the table of all routes. */
import { METRIC_NAMES } from '../domain/metrics/metrics.ts';
import { WINDOWS } from '../domain/metrics/window.ts';
import { contactAdmin, deleteAccount, setDataOptOut } from './account.ts';
import { exportAccount } from './account-export.ts';
import { getProfile, removeAvatar, setAvatar, setCodename, updateProfile } from './profile.ts';
import { getChallenge, listChallenges } from './challenges.ts';
import { getCorpus } from './corpus.ts';
import { listCounts } from './counts.ts';
import { getLeaderboard, listDays } from './leaderboard.ts';
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
import { getBoardKeys, getLog } from './log.ts';
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
import type { Route } from './route.ts';
import { RouteTable, type SiteRoute } from './route-table.ts';
import { endOtherSessions, endSession, getSession, listSessions } from './sessions.ts';
import { SITE_ROUTES } from './site-routes.ts';
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
  contactAdmin,
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

/** The operations as routes, one for each path. */
export function operationRoutes(operations: readonly Route[]): SiteRoute[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  return paths.map((path) => {
    const ofPath = operations.filter((operation) => operation.path === path);
    const [{ auth, cacheSeconds, limit, prepared, llms }] = ofPath as [Route, ...Route[]];
    const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return {
      path,
      kind: 'operation',
      methods: [...methods, 'OPTIONS'].sort(),
      caller: auth === 'public' && cacheSeconds === 0 ? 'visitor' : auth,
      cacheSeconds,
      limit,
      operations: ofPath,
      ...(prepared && { prepared }),
      ...(llms && { llms }),
    };
  });
}

/** Every address of a board. */
export const ROUTE_TABLE = new RouteTable([...SITE_ROUTES, ...operationRoutes(ROUTES)]);

/** The parameters whose values are known to the program. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  metric: METRIC_NAMES,
  window: WINDOWS,
};

/** The addresses of a route with each value of its parameters; none if the program does not know these. */
export function addressesOf(path: string): string[] {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  return (VALUES[name] ?? []).flatMap((value) => addressesOf(path.replace(parameter, value)));
}
