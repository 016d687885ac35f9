/** A running board with data for every operation. */
import { randomUUID } from 'node:crypto';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { type TestDevice, DAY_MS, bucketsOfDays } from '../board/builders.ts';
import { announceOn } from '../board/contests.ts';
import { daysAgo } from '../agent/installation.ts';
import { type RunningServer, type ServerOptions, eventually, startServer } from './server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from './wire.ts';

export interface FullBoard {
  server: RunningServer;
  /** Of the only operator, who is ranked. */
  codename: string;
  cookie: string;
  device: TestDevice;
  /** The operator's only submission. */
  receipt: SnapshotReceipt;
  /** An upcoming challenge, named as in the examples. */
  challenge: string;
  /** A device token for one request. */
  tokenFor(method: string, path: string): Promise<string>;
}

/** Serves a board with one operator, who submitted ten days from one device. */
export async function aFullBoard(options: ServerOptions = {}): Promise<FullBoard> {
  const server = await startServer(options);
  const codename = 'ada';
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const first = new Date(Date.now() - 10 * DAY_MS).toISOString().slice(0, 10);
  const payload = aLivePayload(server, bucketsOfDays(10, first));
  const { body: receipt } = await postSnapshot(server, await device.seal(payload));
  const challenge = EXAMPLES['getChallenge']?.params['id'] ?? '';
  announceOn(server, challenge, { first_day: daysAgo(-1), last_day: daysAgo(-9) });
  const ranked = async () => {
    const asked = fetch(`${server.url}/api/v1/leaderboard`, { headers: { cookie } });
    return (await (await asked).json()) as Leaderboard;
  };
  await eventually(ranked, ({ total }) => total === 1);
  return {
    server,
    codename,
    cookie,
    device,
    receipt,
    challenge,
    tokenFor: (method, path) => {
      const request = { audience: server.baseUrl, method, path };
      return signDeviceToken(request, device, Date.now(), randomUUID());
    },
  };
}
