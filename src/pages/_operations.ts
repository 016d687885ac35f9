/** What answers each operation of the contract, whose paths `astro.config.mjs` makes the routes of. */
import type { APIRoute } from 'astro';
import * as accountExport from '#core/contract/account-export.ts';
import * as account from '#core/contract/account.ts';
import * as challenges from '#core/contract/challenges.ts';
import * as corpus from '#core/contract/corpus.ts';
import * as counts from '#core/contract/counts.ts';
import * as devices from '#core/contract/devices.ts';
import * as hallOfSignal from '#core/contract/hall-of-signal.ts';
import * as improvements from '#core/contract/improvements.ts';
import * as ingest from '#core/contract/ingest.ts';
import * as leaderboard from '#core/contract/leaderboard.ts';
import * as logProofs from '#core/contract/log-proofs.ts';
import * as log from '#core/contract/log.ts';
import * as manifests from '#core/contract/mcp/manifests.ts';
import * as me from '#core/contract/me.ts';
import * as metrics from '#core/contract/metrics.ts';
import * as oauth from '#core/contract/oauth.ts';
import * as operators from '#core/contract/operators.ts';
import * as peers from '#core/contract/peers.ts';
import * as profile from '#core/contract/profile.ts';
import * as sessions from '#core/contract/sessions.ts';
import * as snapshots from '#core/contract/snapshots.ts';
import * as submissions from '#core/contract/submissions.ts';
import { INTERFACE_VERSION, getOpenApi } from '#core/contract/interface.ts';
import { openApiDocument } from '#core/contract/openapi/openapi.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { exportAccount } from '#server/account/account-export.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { readCorpus } from '#server/board/corpus.ts';
import { readDays } from '#server/board/days.ts';
import { readImprovements, readyImprovements } from '#server/board/improvements.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMe, readyMe } from '#server/board/me.ts';
import { readHallOfSignal, readMetricLeaders } from '#server/board/metric-page.ts';
import { readOperatorHistory, readyOperatorHistory } from '#server/board/operator-history.ts';
import { readOperatorRecords, readyOperatorRecords } from '#server/board/operator-records.ts';
import { readOperator, readyOperator } from '#server/board/operator.ts';
import {
  readOperatorPeers,
  readPeers,
  readyOperatorPeers,
  readyPeers,
} from '#server/board/peers.ts';
import { readChallenge, readChallenges } from '#server/challenge/challenges.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { readDeviceList, readKnownDevices, readOperatorKeys } from '#server/device/devices.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { renameDevice } from '#server/device/rename-device.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { cursorHeaders } from '#server/http/response/cache-control.ts';
import {
  readAuthorizationServer,
  readOpenidConfiguration,
  readProtectedResource,
  readProviderKeys,
  readUserInfo,
} from '#server/identity/provider/oauth-metadata.ts';
import {
  endOtherSessions,
  endSession,
  readSession,
  readSessions,
} from '#server/identity/sessions.ts';
import { readAiCatalog, readServerCard } from '#server/mcp/manifests.ts';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import { readProfile } from '#server/operator/own-profile.ts';
import { removeAvatar, setAvatar } from '#server/operator/set-avatar.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readBoardKeys, readLog } from '#server/public-log/log.ts';
import { readConsistency, readLogProof } from '#server/public-log/proofs.ts';
import { readCounts } from '#server/submission/counts.ts';
import {
  readSubmission,
  readSubmissionEnvelope,
  readSubmissions,
  readySubmission,
  readySubmissions,
} from '#server/submission/submissions.ts';
import { parseUsage, submitRecords, tryRecords } from '#server/submission/submit-records.ts';
import { submitSnapshot, trySnapshot } from '#server/submission/submit-snapshot.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const BINDINGS = [
  bind(leaderboard.getLeaderboard, ({ ctx, query }) => {
    const body = readLeaderboard(ctx, query);
    return { body, headers: cursorHeaders(ctx.config, body) };
  }),
  bind(leaderboard.listDays, ({ ctx, query }) => ({ body: readDays(ctx, query) })),
  bind(metrics.getMetricLeaders, ({ ctx, query }) => ({ body: readMetricLeaders(ctx, query) })),
  bind(hallOfSignal.getHallOfSignal, ({ ctx }) => ({ body: readHallOfSignal(ctx) })),
  bind(challenges.listChallenges, ({ ctx, query }) => ({ body: readChallenges(ctx, query) })),
  bind(challenges.getChallenge, ({ ctx, query, params }) => {
    const body = readChallenge(ctx, params.id, query);
    return { body, headers: cursorHeaders(ctx.config, body) };
  }),
  bind(operators.getOperator, async ({ ctx, params, query }) => {
    await readyOperator(ctx, params.codename);
    return { body: readOperator(ctx, params.codename, query) };
  }),
  bind(operators.getOperatorHistory, async ({ ctx, params, query }) => {
    await readyOperatorHistory(ctx, params.codename, query);
    return { body: readOperatorHistory(ctx, params.codename, query) };
  }),
  bind(operators.getOperatorRecords, async ({ ctx, params, query }) => {
    await readyOperatorRecords(ctx, params.codename);
    return { body: readOperatorRecords(ctx, params.codename, query) };
  }),
  bind(operators.getOperatorKeys, ({ ctx, params }) => ({
    body: readOperatorKeys(ctx, params.codename),
  })),
  bind(peers.getOperatorPeers, async ({ ctx, params, query }) => {
    await readyOperatorPeers(ctx);
    return { body: readOperatorPeers(ctx, params.codename, query) };
  }),
  bind(corpus.getCorpus, ({ ctx, query }) => ({ pieces: readCorpus(ctx, query) })),
  bind(submissions.listSubmissions, async ({ ctx, query }) => {
    await readySubmissions(ctx, query);
    return { body: readSubmissions(ctx, query) };
  }),
  bind(submissions.getSubmission, async ({ ctx, params }) => {
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id) };
  }),
  bind(submissions.getSubmissionEnvelope, ({ ctx, params }) => {
    return { body: readSubmissionEnvelope(ctx, params.id) };
  }),
  bind(submissions.withdrawSubmission, async ({ ctx, caller, params }) => {
    await withdrawSubmission(ctx, caller, params.id);
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id, caller) };
  }),
  bind(submissions.restoreSubmission, async ({ ctx, caller, params }) => {
    await restoreSubmission(ctx, caller, params.id);
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id, caller) };
  }),
  bind(log.getLog, ({ ctx, query }) => ({ body: readLog(ctx, query) })),
  bind(logProofs.getLogProof, ({ ctx, query }) => ({ body: readLogProof(ctx, query) })),
  bind(logProofs.getLogConsistency, ({ ctx, query }) => ({ body: readConsistency(ctx, query) })),
  bind(log.getBoardKeys, ({ ctx }) => ({ body: readBoardKeys(ctx) })),
  bind(snapshots.submitSnapshot, async ({ ctx, query, body, caller, headers }) => {
    const idempotencyKey = headers['Idempotency-Key'];
    if (query.dry_run === 'true') {
      const preview = caller
        ? await tryRecords(ctx, caller, { text: body, idempotencyKey })
        : await trySnapshot(ctx, body);
      return { body: preview, status: 200 };
    }
    const { created, answer } = caller
      ? await submitRecords(ctx, caller, { text: body, idempotencyKey })
      : await submitSnapshot(ctx, body);
    const Location = `/api/v1/submissions/${answer.id}`;
    return { body: answer, status: created ? 201 : 200, headers: { Location } };
  }),
  bind(ingest.parseUsage, ({ ctx, body }) => ({ body: parseUsage(ctx, body) })),
  bind(devices.createDeviceCode, ({ ctx, caller }) => {
    return { body: createEnrollmentCode(ctx, caller.operator_id) };
  }),
  bind(devices.listKnownDevices, ({ ctx, body, limit }) => {
    limit('enroll');
    return { body: readKnownDevices(ctx, body.code) };
  }),
  bind(devices.enrollDevice, async ({ ctx, body, limit }) => {
    limit('enroll');
    const { created, enrollment } = await enrollDevice(ctx, body);
    return { body: enrollment, status: created ? 201 : 200 };
  }),
  bind(devices.listDevices, ({ ctx, caller }) => {
    return { body: readDeviceList(ctx, caller.operator_id) };
  }),
  bind(devices.renameDevice, ({ ctx, caller, params, body }) => {
    return { body: renameDevice(ctx, caller.operator_id, params.id, body.label) };
  }),
  bind(devices.revokeDevice, ({ ctx, caller, params, query }) => {
    return { body: revokeDevice(ctx, caller, params.id, query.reason) };
  }),
  bind(me.getMe, async ({ ctx, caller }) => {
    await readyMe(ctx, caller);
    return { body: readMe(ctx, caller) };
  }),
  bind(counts.listCounts, async ({ ctx, caller, query }) => ({
    body: await readCounts(ctx, caller, query),
  })),
  bind(peers.getPeers, async ({ ctx, caller, query }) => {
    await readyPeers(ctx, caller);
    return { body: readPeers(ctx, caller, query) };
  }),
  bind(improvements.getImprovements, async ({ ctx, caller, query }) => {
    await readyImprovements(ctx, caller);
    return { body: readImprovements(ctx, caller, query) };
  }),
  bind(profile.getProfile, ({ ctx, caller }) => ({ body: readProfile(ctx, caller.operator_id) })),
  bind(profile.updateProfile, async ({ ctx, caller, body }) => {
    return { body: await updateProfile(ctx, caller.operator_id, body) };
  }),
  bind(profile.setCodename, async ({ ctx, caller, body }) => {
    return { body: await setCodename(ctx, caller.operator_id, body.codename) };
  }),
  bind(profile.setAvatar, async ({ ctx, caller, body }) => {
    return { body: await setAvatar(ctx, caller.operator_id, Buffer.from(body.file, 'latin1')) };
  }),
  bind(profile.removeAvatar, async ({ ctx, caller }) => {
    return { body: await removeAvatar(ctx, caller.operator_id) };
  }),
  bind(account.setDataOptOut, async ({ ctx, caller, body }) => {
    return { body: await setDataOptOut(ctx, caller.operator_id, body) };
  }),
  bind(accountExport.exportAccount, ({ ctx, caller }) => ({
    pieces: exportAccount(ctx, caller.operator_id),
  })),
  bind(account.deleteAccount, async ({ ctx, caller, body }) => {
    const deleted = await deleteAccount(ctx, caller.operator_id, body.confirm);
    // Its sessions are gone; what is left is the browser's cookie.
    return { body: deleted, headers: { 'Set-Cookie': await ctx.sessions.end(null) } };
  }),
  bind(account.contactAdmin, ({ ctx, caller, body }) => {
    return { body: contactAdmin(ctx, caller.operator_id, body) };
  }),
  bind(sessions.getSession, ({ ctx, caller }) => ({ body: readSession(ctx, caller) })),
  bind(sessions.listSessions, ({ ctx, caller }) => ({ body: readSessions(ctx, caller) })),
  bind(sessions.endOtherSessions, ({ ctx, caller }) => ({
    body: { sessions: endOtherSessions(ctx, caller) },
  })),
  bind(sessions.endSession, ({ ctx, caller, params }) => ({
    body: endSession(ctx, caller, params.id),
  })),
  bind(oauth.getProtectedResource, ({ ctx }) => ({ body: readProtectedResource(ctx, 'api') })),
  bind(oauth.getMcpProtectedResource, ({ ctx }) => ({ body: readProtectedResource(ctx, 'mcp') })),
  bind(oauth.getAuthorizationServer, async ({ ctx }) => ({
    body: await readAuthorizationServer(ctx),
  })),
  bind(oauth.getOpenidConfiguration, async ({ ctx }) => ({
    body: await readOpenidConfiguration(ctx),
  })),
  bind(oauth.getProviderKeys, ({ ctx }) => ({ body: readProviderKeys(ctx) })),
  bind(oauth.getUserInfo, ({ ctx, caller }) => ({ body: readUserInfo(ctx, caller) })),
  bind(getOpenApi, ({ ctx }) => {
    const { baseUrl, site } = ctx.config;
    const options = { baseUrl, version: INTERFACE_VERSION, title: site.name };
    return { body: { ...openApiDocument(ROUTE_TABLE.operations, options) } };
  }),
  bind(manifests.getAiCatalog, ({ ctx }) => ({ body: readAiCatalog(ctx) })),
  bind(manifests.getMcpManifest, ({ ctx }) => ({ body: readServerCard(ctx) })),
  bind(manifests.getWellKnownServerCard, ({ ctx }) => ({ body: readServerCard(ctx) })),
  bind(manifests.getServerCard, ({ ctx }) => ({ body: readServerCard(ctx) })),
];

/** The endpoint of each path, by the name that Astro has for it. */
const ENDPOINTS = new Map(
  [...Map.groupBy(BINDINGS, ({ route }) => route.path)].map(([path, bindings]) => {
    return [path.replaceAll('{', '[').replaceAll('}', ']'), endpoint(...bindings)];
  }),
);

export const ALL: APIRoute = (context) => {
  const serve = ENDPOINTS.get(context.routePattern);
  if (!serve) throw new Error(`Nothing answers ${context.routePattern}`);
  return serve(context);
};
