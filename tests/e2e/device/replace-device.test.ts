import { expect, test } from 'vitest';
import type { Devices, Enrollment, KnownDevices } from '#core/contract/devices.ts';
import { LIMITS } from '#core/contract/limits.ts';
import { aBucket, aDevice } from '#tests/support/board/builders.ts';
import { textOf } from '#tests/support/board/people.ts';
import { startServer } from '#tests/support/http/server.ts';
import {
  aLivePayload,
  aProblem,
  anEnrollment,
  enrollOverHttp,
  postSnapshot,
} from '#tests/support/http/wire.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

async function post<Body>({ url }: Server, path: string, body: string) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/v1/devices/${path}`, { method: 'POST', headers, body });
  const mediaType = response.headers.get('content-type') ?? '';
  return { status: response.status, mediaType, body: (await response.json()) as Body };
}

async function read(server: Server, path: string, cookie: string): Promise<string> {
  const response = await fetch(server.url + path, { headers: { Cookie: cookie } });
  expect(response.status).toBe(200);
  return response.text();
}

async function aCode({ url }: Server, cookie: string): Promise<string> {
  const made = await fetch(`${url}/api/v1/devices/codes`, {
    method: 'POST',
    headers: { Cookie: cookie },
  });
  return ((await made.json()) as { code: string }).code;
}

test('a device finds its own days among the known devices, and replaces that device', async () => {
  const server = await startServer();
  const cookie = await server.signIn('ada');
  const [old, fresh] = [await enrollOverHttp(server, cookie), await aDevice()];
  const day = '2026-03-01';
  const bucket = aBucket({ day, input: 1000, output: 2000, cache_write: null, cache_read: null });
  const sent = await postSnapshot(server, await old.seal(aLivePayload(server, [bucket])));

  const code = await aCode(server, cookie);
  const { status, body } = await post<KnownDevices>(server, 'known', JSON.stringify({ code }));

  expect(status).toBe(200);
  const stated_at = sent.body.received_at;
  expect(body.devices).toMatchObject([
    { label: 'Laptop', days: [{ day, tool: 'claude-code', total: 3000, stated_at }] },
  ]);
  const replaces = body.devices[0]?.id ?? '';
  const request = await anEnrollment(server, cookie, fresh, { label: 'Studio', replaces });
  const first = await post<Enrollment>(server, 'enroll', request);
  const again = await post<Enrollment>(server, 'enroll', request);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  expect(first.body.device.replaced).toMatchObject([{ id: replaces, label: 'Laptop' }]);
  const refused = await postSnapshot(server, await old.seal(aLivePayload(server, [bucket])));
  expect(refused).toMatchObject(aProblem(403, 'key_revoked'));

  const list = JSON.parse(await read(server, '/api/v1/devices', cookie)) as Devices;
  expect(list).toMatchObject({ total: 1, devices: [{ label: 'Studio' }] });
  const settings = textOf(await read(server, '/settings', cookie));
  expect(settings).toMatch(/Studio Replaced Laptop on /);
  expect(settings).toContain('opbench enroll');
  const events = textOf(await read(server, '/settings/sign-in', cookie));
  expect(events).toMatch(/Device replaced Laptop by Studio/);
});

test('requests with wrong codes count against the enrollment limit too', async () => {
  const server = await startServer();
  const cookie = await server.signIn('ada');
  const code = await aCode(server, cookie);
  const ask = (of: string) => post(server, 'known', JSON.stringify({ code: of }));

  for (let at = 0; at < LIMITS.enroll.quota - 1; at += 1) {
    expect(await ask('00000-00000-00000')).toMatchObject(aProblem(422, 'enrollment_code_invalid'));
  }
  expect((await ask(code)).status).toBe(200);
  expect(await ask(code)).toMatchObject(aProblem(429, 'quota_exceeded'));
});
