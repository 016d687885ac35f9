/** A board behind a shared cache, such as a CDN. */
import { expect, test } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { aDeafCache } from '#tests/support/http/shared-cache.ts';
import { filledBoard } from '#tests/support/http/worker-boards.ts';

const PAGES = [
  '/',
  '/science',
  '/science.md',
  '/submissions',
  '/leaderboard/30d/yield?q=a',
  '/operators/nobody-here',
  '/feed.atom',
  '/llms.txt',
  '/log.ndjson.gz',
  '/opbench.json',
  '/satellite/',
  '/login',
  '/settings',
  '/settings/privacy',
  '/where-am-i',
  '/where-am-i/row',
  '/api/v1/leaderboard?limit=300',
  '/api/v1/leaderboard?format=csv',
];
const LEADERS = '/api/v1/metrics/leaders';
/** What only signed-in operators can read. */
const OWN =
  /^\/(?:settings|where-am-i|api\/v1\/(?:me|devices|profile|account|improvements|peers))(?:\/|$)/;

test("never serves one reader's response to another", async () => {
  const { url, aKey, signIn } = await filledBoard();
  const reads = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => {
    return path.replace('{codename}', 'ada').replaceAll(/\{\w+\}/g, 'x');
  });
  const visitors = [
    { who: 'nobody', headers: {}, keeps: ['/science', '/science.md', LEADERS] },
    { who: 'agent', headers: { accept: 'text/markdown' }, keeps: ['/science.md', LEADERS] },
    { who: 'reader', headers: { 'x-api-key': await aKey() }, keeps: [] },
    {
      who: 'operator',
      headers: { cookie: await signIn('grace') },
      keeps: ['/science', '/science.md', LEADERS],
    },
  ];

  for (const { who, headers, keeps } of visitors) {
    const cache = aDeafCache(url);
    const addresses = [...PAGES, ...reads];
    for (const address of addresses) await cache.through(address, headers);
    const kept = cache.kept();
    const anew = aDeafCache(url);
    for (const address of Object.keys(kept)) await anew.through(address);

    expect([who, kept]).toEqual([who, anew.kept()]);
    expect(Object.keys(kept).filter((address) => OWN.test(address))).toEqual([]);
    expect(Object.values(kept).flatMap(({ cookies }) => cookies)).toEqual([]);
    const samples = ['/science', '/science.md', LEADERS].filter((address) => address in kept);
    expect([who, samples]).toEqual([who, keeps]);
  }
});
