/** Networks that fail between a device and a board in the same process. */
import { Client, type Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { fetchFrom } from './agent.ts';
import { type TestContext, query } from '../board/context.ts';

/** The same device on another network. */
export function aDeviceLike(device: LocalDevice, fetch: Fetch): LocalDevice {
  return { ...device, client: new Client(fetch, device.nowMs) };
}

/** A network that loses the responses to the first snapshots. */
export function losingAnswers(ctx: TestContext, losses: number): Fetch {
  const whole = fetchFrom(ctx);
  let lost = 0;
  return async (url, init) => {
    const answer = await whole(url, init);
    if (!url.endsWith('/snapshots') || lost >= losses) return answer;
    lost += 1;
    throw new TypeError('fetch failed');
  };
}

/** A network that never delivers snapshots. */
export function losingSnapshots(ctx: TestContext): Fetch {
  const whole = fetchFrom(ctx);
  return (url, init) => {
    const isLost = url.endsWith('/snapshots');
    return isLost ? Promise.reject(new TypeError('fetch failed')) : whole(url, init);
  };
}

/** How many snapshots the board has accepted. */
export function logged(ctx: TestContext): number {
  return query(ctx, `SELECT 1 FROM log_entries WHERE kind = 'snapshot'`).length;
}
