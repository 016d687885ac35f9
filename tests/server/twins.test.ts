import { describe, expect, test } from 'vitest';
import { finishResponse } from '#server/finished.ts';
import { finishTwin, twinResponse } from '#server/twins.ts';

const FACTS = { baseUrl: 'https://b.example', page: '/metrics/yield?x=1', day: '2026-05-01' };
const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=60' };

describe('the Markdown of a page', () => {
  test('is kept as long, and says of which page it is', async () => {
    const html = new Response('<main><h1>Yield</h1><p>Text</p></main>', { headers: HTML });
    const { status, headers, encodings } = await finishTwin(await finishResponse(html), FACTS);
    const text = String(encodings.identity.bytes);

    expect([status, headers]).toEqual([
      200,
      {
        'cache-control': 'public, max-age=60',
        'content-type': 'text/markdown; charset=utf-8',
        link: '<https://b.example/metrics/yield?x=1>; rel="canonical"',
      },
    ]);
    expect(text).toMatch(/^# Yield\n\nSource: <https:\/\/b\.example\/metrics\/yield\?x=1>,/);
    expect(text).toMatch(/\n\nText\n$/);
  });

  test('is a refusal where the page is one', async () => {
    const html = new Response('<main><h1>Nothing is here</h1></main>', {
      status: 404,
      headers: HTML,
    });
    const answer = await twinResponse(html, { ...FACTS, day: null });

    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/^# Nothing is here\n\nSource: <[^>]*>\. Names/);
  });

  test.each([
    ['/operators/bob?window=7d', '/operators/bob.md?window=7d'],
    ['/login', '/login'],
  ])('leads to the Markdown of where the page leads: %s', async (location, twin) => {
    const moved = new Response(null, { status: 307, headers: { Location: location } });
    const answer = await twinResponse(moved, FACTS);

    expect([answer.status, answer.headers.get('location')]).toEqual([307, twin]);
  });

  test('is what the page answers where that is no page', async () => {
    const problem = Response.json({ code: 'service_unavailable' }, { status: 503 });
    const answer = await twinResponse(problem, FACTS);

    expect([answer.status, await answer.json()]).toEqual([503, { code: 'service_unavailable' }]);
    expect(answer.headers.get('link')).toBeNull();
  });

  test('lets others have their turn between the parts of a long page', async () => {
    const sections = '<section><h2>A</h2><p>Text</p></section>'.repeat(50);
    const html = new Response(`<main><h1>T</h1>${sections}</main>`, { headers: HTML });
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    await twinResponse(html, FACTS);
    clearInterval(count);

    expect(turns).toBeGreaterThan(1);
  });
});
