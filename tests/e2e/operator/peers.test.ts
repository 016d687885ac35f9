/** Peers and improvements on the built server, for a browser and for a device. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Improvements } from '#core/contract/improvements.ts';
import { Peers } from '#core/contract/peers.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { type TestDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, aProblem, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

/** An operator with eighty days on the board. */
async function joined(server: RunningServer, codename: string, input: number) {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const buckets = bucketsOfDays(80, daysAgo(80), { input }).map((bucket, at) => {
    return at % 4 === 0 ? { ...bucket, input: 2 * input } : bucket;
  });
  await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  return { cookie, device };
}

async function bearerOf(server: RunningServer, device: TestDevice, path: string) {
  const request = { audience: server.baseUrl, method: 'GET', path };
  const token = await signDeviceToken(request, device, Date.now(), randomUUID());
  return { Authorization: `Bearer ${token}` };
}

test('a session and a device read the same own data, and everyone can read peers', async () => {
  const server = await startServer();
  const ada = await joined(server, 'ada', 2000);
  await joined(server, 'grace', 600);
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + path, { headers });
    const { status } = answer;
    return { status, kept: answer.headers.get('cache-control'), body: await answer.json() };
  };
  const [path, improvements] = ['/api/v1/peers', '/api/v1/improvements'];
  const stands = ({ body }: { body: unknown }) => Peers.parse(body).mentors.entries.length > 0;
  const own = await eventually(() => ask(`${path}?limit=1`, { Cookie: ada.cookie }), stands);
  const asDevice = await ask(`${path}?limit=1`, await bearerOf(server, ada.device, path));
  const open = await ask('/api/v1/operators/ada/peers?limit=1');

  expect(own).toMatchObject({ status: 200, kept: 'no-store' });
  expect(Peers.parse(own.body)).toMatchObject({
    codename: 'ada',
    mentors: { entries: [{ codename: 'grace', classes_above: 1 }] },
    complementary: { entries: [{ codename: 'grace' }] },
  });
  expect(open).toMatchObject({ status: 200, kept: 'public, max-age=60' });
  for (const { body } of [asDevice, open]) {
    expect(groupsOf(body)).toEqual(groupsOf(own.body));
  }

  const read = await ask(improvements, { Cookie: ada.cookie });
  const readByDevice = await ask(improvements, await bearerOf(server, ada.device, improvements));
  expect(read).toMatchObject({ status: 200, kept: 'no-store' });
  const [best] = Improvements.parse(read.body).entries;
  expect(best).toMatchObject({ leak: 'fresh_input', evidence: { days: 20, days_measured: 80 } });
  expect(readByDevice.body).toEqual(expect.objectContaining({ entries: read.body.entries }));

  for (const own of [path, improvements]) {
    expect((await ask(own)).body).toMatchObject(aProblem(401, 'unauthenticated').body);
    for (const query of ['limit=0', 'limit=21', 'codename=grace']) {
      const refused = await ask(`${own}?${query}`, { Cookie: ada.cookie });
      expect(refused.body).toMatchObject(aProblem(400, 'query_invalid').body);
    }
  }
});

/** Without the parts that change with every publication. */
function groupsOf(body: unknown) {
  const { class_tier, mentors, same_tier, complementary } = Peers.parse(body);
  return { class_tier, mentors, same_tier, complementary };
}
