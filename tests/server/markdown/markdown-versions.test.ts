import { describe, expect, test } from 'vitest';
import { prepareResponse } from '#server/http/response/prepared-response.ts';
import {
  prepareMarkdown,
  renderPageOrMarkdown,
  markdownResponse,
} from '#server/markdown/markdown-versions.ts';
import { aConverter } from '#tests/support/pages/markdown.ts';

const toMarkdown = aConverter();
const FACTS = {
  baseUrl: 'https://b.example',
  page: '/metrics/yield?x=1',
  day: '2026-05-01',
  toMarkdown,
};
const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=60' };

const HEAD =
  '<head><link rel="icon" href="/i"><link rel="canonical" href="https://b.example/metrics/yield?a=1&#38;b=2"></head>';

describe('the Markdown version of a page', () => {
  test('is cached as long as the page, and links to it', async () => {
    const html = new Response(`${HEAD}<main><h1>Yield</h1><p>Text</p></main>`, { headers: HTML });
    const { status, headers, encodings } = await prepareMarkdown(
      await prepareResponse(html),
      FACTS,
    );
    const text = String(encodings.identity.bytes);

    expect([status, headers]).toEqual([
      200,
      {
        'cache-control': 'public, max-age=60',
        'content-type': 'text/markdown; charset=utf-8',
        link: '<https://b.example/metrics/yield?a=1&b=2>; rel="canonical"',
      },
    ]);
    expect(text).toMatch(/^# Yield\n\nSource: <https:\/\/b\.example\/metrics\/yield\?x=1>,/);
    expect(text).toMatch(/\n\nText\n$/);
  });

  test.each([
    '<main><h1>T</h1></main>',
    '<link rel="canonical"><main><h1>T</h1></main>',
    '<main><h1>T</h1><link rel="canonical" href="https://evil.example/"></main>',
  ])('names no canonical page if the page itself does not: %s', async (text) => {
    const html = new Response(text, { headers: HTML });

    expect((await markdownResponse(html, FACTS)).headers.get('link')).toBeNull();
  });

  test('is an error if the page is one', async () => {
    const html = new Response(`${HEAD}<main><h1>Nothing is here</h1></main>`, {
      status: 404,
      headers: HTML,
    });
    const answer = await markdownResponse(html, { ...FACTS, day: null });

    expect([answer.status, answer.headers.get('link')]).toEqual([404, null]);
    expect(await answer.text()).toMatch(/^# Nothing is here\n\nSource: <[^>]*>\. Names/);
  });

  test.each([
    ['/operators/bob?window=7d', '/operators/bob.md?window=7d'],
    ['/login', '/login'],
  ])("redirects to the Markdown version of the page's target: %s", async (location, twin) => {
    const moved = new Response(null, { status: 307, headers: { Location: location } });
    const answer = await markdownResponse(moved, FACTS);

    expect([answer.status, answer.headers.get('location')]).toEqual([307, twin]);
  });

  test('is the original response if that is not a page', async () => {
    const problem = Response.json({ code: 'service_unavailable' }, { status: 503 });
    const answer = await markdownResponse(problem, FACTS);

    expect([answer.status, await answer.json()]).toEqual([503, { code: 'service_unavailable' }]);
    expect(answer.headers.get('link')).toBeNull();
  });
});

describe('a request', () => {
  const rendered = async (target: string) => {
    const asked: string[] = [];
    const request = new Request(FACTS.baseUrl + target, { headers: { 'x-test': 'a' } });
    const answer = await renderPageOrMarkdown(request, {
      baseUrl: FACTS.baseUrl,
      day: () => FACTS.day,
      toMarkdown,
      render: async ({ url, headers }) => {
        asked.push(`${url} ${headers.get('x-test')}`);
        return new Response('<main><h1>Found</h1></main>', { headers: HTML });
      },
    });
    return { asked, text: await answer.text() };
  };

  test('returns the page', async () => {
    const { asked, text } = await rendered('/leaderboard/30d/yield?q=ada');
    expect(asked).toEqual(['https://b.example/leaderboard/30d/yield?q=ada a']);
    expect(text).toBe('<main><h1>Found</h1></main>');
  });

  test('returns its Markdown version, for which the page is rendered with the same headers', async () => {
    const { asked, text } = await rendered('/leaderboard/30d/yield.md?q=ada');
    expect(asked).toEqual(['https://b.example/leaderboard/30d/yield?q=ada a']);
    expect(text).toMatch(
      /^# Found\n\nSource: <https:\/\/b\.example\/leaderboard\/30d\/yield\?q=ada>/,
    );
  });
});
