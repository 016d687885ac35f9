/** A page needs one entry in the table of routes, from which everything about its address follows. */
import { expect, test } from 'vitest';
import { robotsTxt } from '#core/contract/crawlers.ts';
import { RouteTable, type SiteRoute } from '#core/contract/route-table.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { llmsSections } from '#server/feeds/llms-txt.ts';
import { preparedAddress, preparedAddresses, isMemorable } from '#server/publication/addresses.ts';
import { readSitemap } from '#server/board/sitemap.ts';
import { publish, testContext } from '#tests/support/board/context.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';

const FAQ: SiteRoute = {
  path: '/faq/{metric}',
  kind: 'page',
  methods: ['GET', 'HEAD', 'OPTIONS'],
  caller: 'public',
  cacheSeconds: 60,
  limit: 'pages',
  markdown: true,
  sitemap: 'reference',
  prepared: 'publication',
  llms: { section: 'Optional', title: 'Questions', about: 'what is asked often' },
};

const withRoute = (over: Partial<SiteRoute> = {}) => {
  return new RouteTable([...ROUTE_TABLE.routes, { ...FAQ, ...over }]);
};

async function answerAt(routes: RouteTable, target: string, over: object = {}) {
  const { ask } = await anHttpLayer({ routes });
  return ask({ target, headers: { ...HOST, ...over } });
}

test('a page with an entry is served, logged, listed, prepared and available as Markdown', async () => {
  const routes = withRoute();
  const ctx = testContext();
  const publication = publish(ctx);
  const listed: string[] = [];
  for await (const piece of readSitemap(ctx, routes).pieces(0, Infinity)) {
    listed.push(...piece.map(({ path }) => path));
  }
  const markdown = await answerAt(routes, '/faq/snr', { accept: 'text/markdown' });

  expect(markdown.headers).toMatchObject({
    'content-location': '/faq/snr.md',
    'content-signal': expect.any(String) as string,
    vary: 'Accept, Accept-Encoding',
  });
  expect(routes.logName('/faq/snr?x')).toBe('/faq/*');
  expect(listed).toContain('/faq/snr');
  expect(preparedAddresses(publication, routes)).toContain('/faq/snr');
  expect(preparedAddress('/faq/snr?utm=1', routes)).toBe('/faq/snr');
  expect(isMemorable('/faq/snr.md', routes)).toBe(true);
  const links = { '/faq/{metric}': [{ title: 'SNR', path: '/faq/snr', about: 'noise' }] };
  expect(llmsSections(routes, links).at(-1)?.links.at(-1)?.path).toBe('/faq/snr.md');
});

test('without an entry, none of this happens', async () => {
  const plain = await answerAt(ROUTE_TABLE, '/faq/snr', { accept: 'text/markdown' });

  expect(plain.headers).not.toHaveProperty('content-location');
  expect(ROUTE_TABLE.logName('/faq/snr')).toBe('other');
  expect(preparedAddresses(publish(testContext()))).not.toContain('/faq/snr');
  expect(isMemorable('/faq/snr')).toBe(false);
});

test('a private page is hidden from crawlers, and accepts the methods of its entry', async () => {
  const { kind, limit } = FAQ;
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST'];
  const own: SiteRoute = {
    ...{ path: '/inbox', kind, methods, caller: 'session' },
    ...{ cacheSeconds: 0, limit },
  };
  const routes = new RouteTable([...ROUTE_TABLE.routes, own]);
  const { ask } = await anHttpLayer({ routes });
  const { headers } = await ask({ target: '/inbox', method: 'OPTIONS', headers: HOST });

  expect(headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
  expect(headers).not.toHaveProperty('content-signal');
  expect(robotsTxt('https://b.example', routes)).toContain('\nDisallow: /inbox\n');
});
