/** A device whose requests reach a board in the same process. */
import { join } from 'node:path';
import { problemOf } from '#server/http/response/problem.ts';
import { tokenCaller } from '#server/http/request/caller.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { readCounts } from '#server/submission/counts.ts';
import { readImprovements } from '#server/board/improvements.ts';
import { readKnownDevices } from '#server/device/devices.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMe } from '#server/board/me.ts';
import { readBoardKeys } from '#server/public-log/log.ts';
import { readPeers } from '#server/board/peers.ts';
import { readSubmission } from '#server/submission/submissions.ts';
import type { AppContext } from '#server/context.ts';
import { UsageError } from '#core/cli/arguments.ts';
import { perform } from '#core/cli/program.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import type { CommandName } from '#agent/command-names.ts';
import { type Screen, usageFailure } from '#agent/command.ts';
import { COMMANDS } from '#agent/commands.ts';
import type { LocalDevice, Place } from '#agent/device.ts';
import { Keystore } from '#agent/state/keystore.ts';
import type { Sendable } from '#agent/loop/compose.ts';
import type { Rules } from '#agent/state/outbox.ts';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { CountsQuery } from '#core/contract/counts.ts';
import { getBoardKeys } from '#core/contract/log.ts';
import { ImprovementsQuery } from '#core/contract/improvements.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { PeersQuery } from '#core/contract/peers.ts';
import type { Caller } from '#core/schema/account.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { publish } from '../board/context.ts';
import { aFolder } from '../logs/log-folder.ts';

/** A device with a state folder of its own and the board's clock. */
export function aDeviceOf(ctx: AppContext, fetch: Fetch = fetchFrom(ctx)): LocalDevice {
  const nowMs = () => ctx.now().getTime();
  const folder = aFolder();
  const client = new Client(fetch, nowMs);
  const place = { environment: { HOME: folder }, nowMs, file: join(folder, 'opbench.mjs') };
  return { ...place, keystore: new Keystore(folder), client, wait: () => Promise.resolve() };
}

/**
 * Buckets of a ledger.
 *
 * @param whole The first day for which no log of the tools can be missing; null if unknown.
 */
export function sendable(
  buckets: readonly Bucket[],
  rules: Rules = {},
  whole: string | null = null,
): Sendable {
  const tools = new Set(whole === null ? [] : buckets.map(({ tool }) => tool));
  return { buckets, rules, wholeFrom: new Map([...tools].map((tool) => [tool, whole ?? ''])) };
}

/** Responds like the board's endpoints, with its commands and queries. */
export function fetchFrom(ctx: AppContext): Fetch {
  return async (url, init) => {
    try {
      return Response.json(await answerOf(ctx, url, init));
    } catch (error) {
      const problem = problemOf(error, { baseUrl: ctx.config.baseUrl, requestId: 'test' });
      return Response.json(problem, { status: problem.status });
    }
  };
}

async function answerOf(ctx: AppContext, url: string, init: RequestInit): Promise<unknown> {
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/api/v1/snapshots')
    return (await submitSnapshot(ctx, String(init.body))).answer;
  if (pathname.startsWith('/api/v1/devices/') && init.method === 'POST')
    return answerToCode(ctx, pathname, String(init.body));
  const query = Object.fromEntries(searchParams);
  if (pathname === getBoardKeys.path) return readBoardKeys(ctx);
  if (pathname === '/api/v1/leaderboard')
    return readLeaderboard(ctx, LeaderboardQuery.parse(query));
  const caller = await tokenCaller(ctx, new Request(url, init), ['device']);
  if (!ctx.publications.current()) publish(ctx);
  const read = OWN_READS[pathname];
  if (read) return read(ctx, caller, query);
  return change(ctx, caller, pathname);
}

/** The changes of a device: a submission's state, or its own key. */
async function change(ctx: AppContext, caller: Caller, path: string): Promise<unknown> {
  const [, id = '', verb] = /^\/api\/v1\/submissions\/([^/]+)\/(\w+)$/.exec(path) ?? [];
  if (verb === undefined) return revokeDevice(ctx, caller, path.split('/').at(-1) ?? '');
  await (verb === 'restore' ? restoreSubmission : withdrawSubmission)(ctx, caller, id);
  return readSubmission(ctx, id, caller);
}

type OwnRead = (ctx: AppContext, caller: Caller, query: Record<string, string>) => unknown;

const OWN_READS: Readonly<Record<string, OwnRead>> = {
  '/api/v1/counts': (ctx, caller, query) => readCounts(ctx, caller, CountsQuery.parse(query)),
  '/api/v1/improvements': (ctx, caller, query) =>
    readImprovements(ctx, caller, ImprovementsQuery.parse(query)),
  '/api/v1/me': (ctx, caller) => readMe(ctx, caller),
  '/api/v1/peers': (ctx, caller, query) => readPeers(ctx, caller, PeersQuery.parse(query)),
};

/** The response for a device with a code. */
async function answerToCode(ctx: AppContext, path: string, body: string): Promise<unknown> {
  const request = JSON.parse(body) as EnrollmentRequest;
  if (path.endsWith('/known')) return readKnownDevices(ctx, request.code);
  return (await enrollDevice(ctx, request)).enrollment;
}

/** A network that changes the responses on a path with `change`. */
export function changing(
  ctx: AppContext,
  path: string,
  change: (answer: Response) => Response | Promise<Response>,
): Fetch {
  const whole = fetchFrom(ctx);
  return async (url, init) => {
    const answer = await whole(url, init);
    return url.endsWith(path) ? change(answer) : answer;
  };
}

/** The output of a command. */
export function anOutput() {
  const results: string[] = [];
  const notes: string[] = [];
  return {
    results,
    notes,
    print: (text: string) => void results.push(text),
    note: (text: string) => void notes.push(text),
    progress: () => undefined,
    done: () => undefined,
    strong: (text: string) => text,
  };
}

/** Runs a command of `opbench` on a device of a test. */
export async function runCommand(
  place: LocalDevice | Place,
  name: string,
  args: string[],
  output: Screen,
) {
  const command = await COMMANDS[name as CommandName]();
  try {
    return await perform({ name, command, args }, output, place);
  } catch (error) {
    throw error instanceof UsageError ? usageFailure(error, name) : error;
  }
}
