/** How the HTTP layer chooses between pages and their Markdown versions. */
import { describe, expect, test } from 'vitest';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';

describe('a page with a Markdown version', () => {
  const asked = async (target: string, accept: string, method = 'GET') => {
    const { ask } = await anHttpLayer();
    const { status, headers, bytes } = await ask({ target, method, headers: { ...HOST, accept } });
    return {
      status,
      headers,
      url: method === 'GET' ? (JSON.parse(String(bytes)) as { url: string }).url : '',
    };
  };

  test.each([
    ['/science', '/science.md'],
    ['/?x=1', '/index.md?x=1'],
    ['/leaderboard/30d/yield?q=ada', '/leaderboard/30d/yield.md?q=ada'],
  ])('returns it on request, and states its address: %s', async (page, twin) => {
    const { headers, url } = await asked(page, 'text/markdown, text/html');

    expect(url).toBe(BASE_URL + twin);
    expect(headers).toMatchObject({
      'content-location': twin,
      vary: expect.stringContaining('Accept, Accept-Encoding') as string,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-signal': CONTENT_SIGNAL,
    });
  });

  test('stays HTML for all other requests, and varies by Accept', async () => {
    const { headers, url } = await asked('/science', 'text/html, */*');

    expect(url).toBe(`${BASE_URL}/science`);
    expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding' });
    expect(headers).not.toHaveProperty('content-location');
  });

  test.each(['/settings', '/api/v1/log', '/nowhere', '/science.md'])(
    'does not include %s, which is always the same',
    async (target) => {
      const { headers, url } = await asked(target, 'text/markdown');

      expect(url).toBe(BASE_URL + target);
      expect(headers).not.toHaveProperty('content-location');
    },
  );

  test('counts a search in both forms as one', async () => {
    for (const target of ['/leaderboard/30d/yield?q=a', '/leaderboard/30d/yield.md?q=a']) {
      const { headers } = await asked(target, '*/*');
      expect(headers).toHaveProperty('ratelimit-limit');
      expect(headers['vary']).toBe('Accept, Accept-Encoding, X-API-Key');
    }
  });

  test('accepts no write as Markdown', async () => {
    const { status, headers } = await asked('/science.md', '*/*', 'POST');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
