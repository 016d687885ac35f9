/** This side of the wire: a device whose calls reach a board in the same process. */
import { join } from 'node:path';
import { problemOf } from '#server/http/problem.ts';
import { tokenCaller } from '#server/http/caller.ts';
import { enrollDevice } from '#server/commands/enroll-device.ts';
import { revokeDevice } from '#server/commands/revoke-device.ts';
import { submitSnapshot } from '#server/commands/submit-snapshot.ts';
import { readImprovements } from '#server/queries/improvements.ts';
import { readLeaderboard } from '#server/queries/leaderboard.ts';
import { readMe } from '#server/queries/me.ts';
import { readPeers } from '#server/queries/peers.ts';
import type { AppContext } from '#server/context.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import type { CommandName } from '#agent/command-names.ts';
import type { Output } from '#agent/command.ts';
import { COMMANDS } from '#agent/commands.ts';
import type { Device } from '#agent/device.ts';
import { Keystore } from '#agent/kept/keystore.ts';
import type { Sendable } from '#agent/loop/compose.ts';
import type { Rules } from '#agent/kept/outbox.ts';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { ImprovementsQuery } from '#core/contract/improvements.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { PeersQuery } from '#core/contract/peers.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { publish } from './context.ts';
import { aFolder } from './log-folder.ts';

/** A device with a state folder of its own and the board's clock. */
export function aDeviceOf(ctx: AppContext, fetch: Fetch = fetchFrom(ctx)): Device {
  const nowMs = () => ctx.now().getTime();
  const folder = aFolder();
  const client = new Client(fetch, nowMs);
  const place = { environment: { HOME: folder }, nowMs, file: join(folder, 'opbench.mjs') };
  return { ...place, keystore: new Keystore(folder), client, wait: () => Promise.resolve() };
}

/** Buckets of logs of which nothing was deleted. */
export function sendable(buckets: readonly Bucket[], rules: Rules = {}): Sendable {
  return { buckets, rules, wholeFrom: () => '2023-01-01', logs: {}, today: '2026-03-10' };
}

/** Answers as the board's endpoints do, from its commands and queries. */
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
  if (pathname === '/api/v1/devices/enroll') {
    const request = JSON.parse(String(init.body)) as EnrollmentRequest;
    return (await enrollDevice(ctx, request)).enrollment;
  }
  const query = Object.fromEntries(searchParams);
  if (pathname === '/api/v1/leaderboard')
    return readLeaderboard(ctx, LeaderboardQuery.parse(query));
  const caller = await tokenCaller(ctx, new Request(url, init), ['device']);
  if (!ctx.publications.current()) publish(ctx);
  if (pathname === '/api/v1/me') return readMe(ctx, caller);
  if (pathname === '/api/v1/peers') return readPeers(ctx, caller, PeersQuery.parse(query));
  if (pathname === '/api/v1/improvements') {
    return readImprovements(ctx, caller, ImprovementsQuery.parse(query));
  }
  return revokeDevice(ctx, caller, pathname.split('/').at(-1) ?? '');
}

/** A wire whose answers on a path are changed by `change`. */
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

/** What a command printed. */
export function anOutput() {
  const results: string[] = [];
  const notes: string[] = [];
  return {
    results,
    notes,
    result: (text: string) => void results.push(text),
    note: (text: string) => void notes.push(text),
    progress: () => undefined,
    done: () => undefined,
    strong: (text: string) => text,
  };
}

/** Does what a word after `opbench` does, on a device of a test. */
export async function runCommand(device: Device, name: string, args: string[], output: Output) {
  const command = await COMMANDS[name as CommandName].load();
  return command.run(device, args, output);
}
