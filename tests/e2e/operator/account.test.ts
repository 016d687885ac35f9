import { describe, expect, test } from 'vitest';
import type { Profile } from '#core/schema/profile.ts';
import { aFullBoard } from '#tests/support/http/contract-board.ts';
import { pictureOf } from '#tests/support/pages/pictures.ts';
import { runBuilt } from '#tests/support/http/process.ts';

type Asked = Parameters<typeof fetch>[1];

async function aScene() {
  const board = await aFullBoard();
  const { server, cookie } = board;
  const ask = (path: string, init: Asked = {}) => {
    return fetch(server.url + path, { redirect: 'manual', ...init });
  };
  const asAda = (path: string, init: Asked = {}) => ask(path, { ...init, headers: { cookie } });
  const post = (path: string, body: object) => {
    const headers = { cookie, 'Content-Type': 'application/json' };
    return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const submitForm = (path: string, fields: Record<string, string>) => {
    return asAda(path, { method: 'POST', body: new URLSearchParams(fields) });
  };
  return { ...board, ask, asAda, post, submitForm };
}

const PAGES = ['/settings', '/settings/profile', '/settings/privacy', '/settings/data'];

describe('the account', () => {
  test('has a codename that can change, a visible avatar, and settings that confirm changes', async () => {
    const { ask, asAda, post, submitForm, tokenFor, server, cookie } = await aScene();

    // The former codename redirects with the query, until the operator is no longer public.
    const renamed = await post('/api/v1/profile/codename', { codename: 'grace' });
    expect([renamed.status, (await renamed.json()) as Profile]).toMatchObject([
      200,
      { codename: 'grace' },
    ]);
    const lead = async (path: string) => {
      const { status, headers } = await ask(`/api/v1/operators/${path}`);
      return [status, headers.get('location'), headers.get('cache-control')];
    };
    const moved = (path: string) => [307, `/api/v1/operators/${path}`, 'no-store'];
    expect(await lead('ada?window=7d')).toEqual(moved('grace?window=7d'));
    expect(await lead('ada/history?interval=week')).toEqual(moved('grace/history?interval=week'));
    expect(await lead('ada/records')).toEqual(moved('grace/records'));
    expect(await lead('ada/keys')).toEqual(moved('grace/keys'));
    expect((await fetch(`${server.url}/api/v1/operators/ada`)).status).toBe(200);
    expect((await post('/api/v1/profile/codename', { codename: 'joan' })).status).toBe(409);

    // Only cookies work: a token disables the cookie and is rejected.
    const withToken = { Authorization: `Bearer ${await tokenFor('GET', '/api/v1/devices')}` };
    expect((await ask('/api/v1/devices', { headers: withToken })).status).toBe(403);
    expect((await asAda('/api/v1/devices')).status).toBe(200);

    // A picture as large as phones make them is rejected on the form's page.
    const large = new FormData();
    large.append('action', 'avatar');
    large.append('file', new Blob([new Uint8Array(8 * 1024 * 1024)]), 'phone.jpg');
    const page = await asAda('/settings/profile', { method: 'POST', body: large });
    expect(page.status).toBe(413);
    expect(await page.text()).toContain('The form is larger than 2 MiB.');

    // The avatar is visible while the profile is, and contains nothing active.
    const form = new FormData();
    form.append('file', new Blob([await pictureOf('jpeg')]), '../../etc/x.svg');
    const uploaded = await asAda('/api/v1/profile/avatar', { method: 'POST', body: form });
    expect((await uploaded.json()) as Profile).toMatchObject({
      has_avatar: true,
      avatar_url: null,
    });
    const shown = await post('/api/v1/profile', { privacy_mode: 'identified' });
    const { avatar_url } = (await shown.json()) as Profile;
    const picture = await fetch(avatar_url ?? '');
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
    });
    await post('/api/v1/profile', { privacy_mode: 'anonymous' });
    expect((await fetch(avatar_url ?? '')).status).toBe(404);
    expect(await lead('ada')).toEqual([404, null, 'no-store']);
    await post('/api/v1/profile', { privacy_mode: 'pseudonymous' });

    // Form values appear only in their own fields, and each action is confirmed in words.
    const spelled = { action: 'profile', display_name: '"><script>', 'link-1': 'http://a.example' };
    const refused = await submitForm('/settings/profile', spelled);
    const told = await refused.text();
    expect([refused.status, told.includes('"><script>')]).toEqual([422, false]);
    expect(told).toContain('begins with https://');
    expect(told).toContain('value="http://a.example"');
    const saved = await submitForm('/settings/profile', { action: 'profile', bio: 'I count.' });
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      '/settings/profile?done=profile',
    ]);
    const done = await (await asAda('/settings/profile?done=profile')).text();
    expect(done).toContain('Your profile is saved.');
    expect(await (await asAda('/settings/profile?done=constructor')).text()).not.toContain(
      'status',
    );

    // Messages to the admin are stored, each once.
    const message = 'Hello\n2026-01-01T00:00:00.000Z bob, mailed';
    expect((await post('/api/v1/contact', { subject: 'Help', message })).status).toBe(201);
    const env = { DATA_DIR: server.dataDir };
    const { stdout } = await runBuilt('opbench-board.mjs', ['messages'], env);
    expect(stdout).toMatch(
      /^\S+Z grace, not mailed \([0-9a-f-]{36}\)\n {2}Help\n\n {2}Hello\n {2}2026/,
    );

    // All of it is only for the owner and not cached.
    for (const path of PAGES) {
      const stranger = await ask(path);
      expect([stranger.status, stranger.headers.get('location')]).toEqual([
        303,
        `/login?return_to=${encodeURIComponent(path)}`,
      ]);
      const own = await asAda(path);
      expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store']);
    }
    const foreign = { method: 'POST', body: new URLSearchParams({ privacy_mode: 'private' }) };
    const crossSite = { cookie, 'Sec-Fetch-Site': 'cross-site' };
    expect((await ask('/settings/privacy', { ...foreign, headers: crossSite })).status).toBe(403);
  });
});
