/** Pages and their Markdown, as the front tells them apart. */
import { describe, expect, test } from 'vitest';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';

describe('a page that has its Markdown beside it', () => {
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
  ])(
    'answers with it where that is asked for, and says where it stands: %s',
    async (page, twin) => {
      const { headers, url } = await asked(page, 'text/markdown, text/html');

      expect(url).toBe(BASE_URL + twin);
      expect(headers).toMatchObject({
        'content-location': twin,
        vary: expect.stringContaining('Accept, Accept-Encoding') as string,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'content-signal': CONTENT_SIGNAL,
      });
    },
  );

  test('is a page to all others, and says that it could be something else', async () => {
    const { headers, url } = await asked('/science', 'text/html, */*');

    expect(url).toBe(`${BASE_URL}/science`);
    expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding' });
    expect(headers).not.toHaveProperty('content-location');
  });

  test.each(['/settings', '/api/v1/log', '/nowhere', '/science.md'])(
    'is not %s, which is the same whatever is asked for',
    async (target) => {
      const { headers, url } = await asked(target, 'text/markdown');

      expect(url).toBe(BASE_URL + target);
      expect(headers).not.toHaveProperty('content-location');
    },
  );

  test('counts a search as one in both', async () => {
    for (const target of ['/leaderboard/30d/yield?q=a', '/leaderboard/30d/yield.md?q=a']) {
      const { headers } = await asked(target, '*/*');
      expect(headers).toHaveProperty('ratelimit-limit');
      expect(headers['vary']).toBe('Accept, Accept-Encoding, X-API-Key');
    }
  });

  test('takes no change as Markdown', async () => {
    const { status, headers } = await asked('/science.md', '*/*', 'POST');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
