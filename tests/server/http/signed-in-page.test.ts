import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { seeOther } from '#server/http/request/forms.ts';
import { answerOwnForm, readOwner } from '#server/http/signed-in-page.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';
import { anUpload } from '#tests/support/http/http-layer.ts';

/** The library reads the clock itself. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS }));
afterEach(() => void vi.useRealTimers());

/** The response to a form during which the session is renewed. */
async function answered(act: () => Response) {
  const ctx = testContext();
  const session = await ctx.sessions.start(anOperator(ctx, 'ada').id);
  const [cookie = ''] = session.split(';');
  ctx.clock.nowMs = NOW_MS + 20 * DAY_MS;
  vi.setSystemTime(ctx.clock.nowMs);
  const url = new URL('/settings', ctx.config.baseUrl);
  const headers = { cookie, origin: url.origin, 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams({ action: 'x' });
  const request = new Request(url, { method: 'POST', headers, body });
  const who = { client: 'c', peer: '127.0.0.1', requestId: 'r' };
  const locals = {
    ctx,
    ...who,
    apiKey: null,
    upload: anUpload(),
    refusedBody: null,
  };
  const page = { url, request, locals, response: { headers: new Headers() } };
  const owner = await readOwner(page);
  if (owner instanceof Response) throw new Error('Nobody is signed in');
  const { outcome } = await answerOwnForm(page, owner, act);
  return { cookie, told: outcome?.headers.getSetCookie() };
}

describe('answerOwnForm()', () => {
  test('renews the session if the form redirects', async () => {
    const { cookie, told } = await answered(() => seeOther('/settings'));

    expect(told).toEqual([expect.stringContaining(`${cookie};`)]);
  });

  test("renews it next to another cookie, and lets the form's own cookie take precedence", async () => {
    const { cookie, told } = await answered(() => seeOther('/', ['sign_in=a', 'session=']));

    expect(told).toEqual([expect.stringContaining(`${cookie};`), 'sign_in=a', 'session=']);
  });
});

describe('readOwner()', () => {
  test.each([
    ['GET', '/login?return_to=%2Fsettings'],
    ['POST', '/login?return_to=%2Fsettings&lost=form'],
  ])('redirects to the sign-in page, and says what is lost for %s', async (method, to) => {
    const ctx = testContext();
    const url = new URL('/settings', ctx.config.baseUrl);
    const who = { client: 'c', peer: '127.0.0.1', requestId: 'r' };
    const locals = {
      ctx,
      ...who,
      apiKey: null,
      upload: anUpload(),
      refusedBody: null,
    };
    const request = new Request(url, { method });

    const answer = await readOwner({ url, request, locals, response: { headers: new Headers() } });

    expect(answer instanceof Response && answer.headers.get('Location')).toBe(to);
  });
});
