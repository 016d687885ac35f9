/** This side of the wire: a device whose calls reach a board in the same process. */
import { problemOf } from '#server/http/problem.ts';
import { enrollDevice } from '#server/commands/enroll-device.ts';
import { submitSnapshot } from '#server/commands/submit-snapshot.ts';
import type { AppContext } from '#server/context.ts';
import { Client, type Fetch } from '#agent/client.ts';
import type { Device } from '#agent/device.ts';
import { Keystore } from '#agent/keystore.ts';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { aFolder } from './log-folder.ts';

/** A device with a state folder of its own and the board's clock. */
export function aDeviceOf(ctx: AppContext, fetch: Fetch = fetchFrom(ctx)): Device {
  const nowMs = () => ctx.now().getTime();
  const folder = aFolder();
  const client = new Client(fetch, nowMs);
  return { keystore: new Keystore(folder), client, environment: { HOME: folder }, nowMs };
}

/** Answers as the board's endpoints do, from its commands. */
export function fetchFrom(ctx: AppContext): Fetch {
  return async (url, { body }) => {
    try {
      return Response.json(await answerOf(ctx, new URL(url).pathname, String(body)));
    } catch (error) {
      const problem = problemOf(error, { baseUrl: ctx.config.baseUrl, requestId: 'test' });
      return Response.json(problem, { status: problem.status });
    }
  };
}

async function answerOf(ctx: AppContext, path: string, body: string): Promise<unknown> {
  if (path === '/api/v1/snapshots') return (await submitSnapshot(ctx, body)).answer;
  const { enrollment } = await enrollDevice(ctx, JSON.parse(body) as EnrollmentRequest);
  return enrollment;
}
