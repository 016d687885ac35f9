/** The page of an operator on the built server. */
import { expect, test } from 'vitest';
import type { OperatorDetail } from '#core/contract/operators.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { intervalText, metricText } from '#components/text/format.ts';
import { METRIC_WORDS } from '#components/text/words.ts';
import { aPage, overflowOf } from '#tests/support/pages/browser.ts';
import { structuredData } from '#tests/support/pages/json-ld.ts';
import { anEnrolledDevice, anOperator, submit } from '#tests/support/board/context.ts';
import {
  addPeople,
  aPresentBoard,
  identify,
  serve,
  textOf,
  unevenDays,
} from '#tests/support/board/people.ts';
import type { RunningServer } from '#tests/support/http/server.ts';

async function readPage({ url }: RunningServer, path: string) {
  const answer = await fetch(url + path, { redirect: 'manual' });
  const html = await answer.text();
  return { status: answer.status, headers: answer.headers, html, text: textOf(html) };
}

test('it shows the data of the API for every operator with a page', async () => {
  const ctx = aPresentBoard();
  await addPeople(ctx, 21);
  await submit(ctx, await anEnrolledDevice(ctx, 'beginner'), unevenDays(30).slice(0, 3));
  anOperator(ctx, 'only-account');
  await setCodename(ctx, ctx.store.operators.byCodename('op-01')?.id ?? 0, 'new-name');
  const server = await serve(ctx);

  for (const query of ['', '?window=90d', '?tool=claude-code'])
    await compareWithData(server, `op-07${query}`);
  await compareWithData(server, 'beginner');
  await askInOtherWays(server);
  await askForNobody(server);
  await compare(server);
});

/** Page and API show the same values for every metric. */
async function compareWithData(server: RunningServer, page: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/operators/${page}`);
  const { standing } = (await answer.json()) as OperatorDetail;
  const { text } = await readPage(server, `/operators/${page}`);

  for (const metric of METRIC_NAMES) {
    const { value = null, interval = null, rank, total } = standing?.metrics[metric] ?? {};
    const value_text = `${METRIC_WORDS[metric].label} ${metricText(metric, value)}`;
    const place = rank === null ? 'not ranked' : `rank ${rank} of ${total}`;
    const ends = `95% interval ${intervalText(metric, interval)}`;
    expect(text).toContain(`${value_text} ${ends} ${place}`);
  }
  const { rank, total, percentile } = standing?.metrics.yield ?? {};
  const percent = Math.floor((percentile ?? 0) * 100 + 1e-9);
  const better = `head of ${percent}% of ${total} ranked operators`;
  expect(text.includes(better)).toBe(percentile != null);
  expect(text.includes(`Rank ${rank} of ${total}`)).toBe(rank != null);
  // Without a rank the number is provisional.
  expect(text.includes('which decides the rank')).toBe(rank != null);
  expect(text.includes('so far')).toBe(rank == null);
}

/** Unknown parameters do not change the page. */
async function askInOtherWays(server: RunningServer): Promise<void> {
  const etagOf = async (path: string) => (await readPage(server, path)).headers.get('etag');
  const etag = await etagOf('/operators/op-00');
  expect(await etagOf('/operators/op-00?utm_source=x&metric=nothing')).toBe(etag);
  expect(await etagOf('/operators/op-00?window=7d')).not.toBe(etag);
  const { headers } = await readPage(server, '/compare?with=op-00,op-02');
  expect(headers.getSetCookie()).toEqual([]);
}

/** Operators without a page all get the same answer, and former codenames redirect. */
async function askForNobody(server: RunningServer): Promise<void> {
  const nobody = await readPage(server, '/operators/nobody-ever');
  expect(nobody.text).toContain('No public page');
  expect(nobody.headers.get('cache-control')).toBe('no-store');
  for (const name of ['NOBODY', 'only-account', 'x', 'op-00.json']) {
    const { status, text } = await readPage(server, `/operators/${name}`);
    expect([name, status, text]).toEqual([name, 404, nobody.text]);
  }
  const moved = await readPage(server, '/operators/op-01?window=7d&x=1');
  expect([moved.status, moved.headers.get('location')]).toEqual([
    307,
    '/operators/new-name?window=7d&x=1',
  ]);
  const inCapitals = await readPage(server, '/operators/OP-00?window=7d');
  expect([inCapitals.status, inCapitals.headers.get('location')]).toEqual([
    307,
    '/operators/op-00?window=7d',
  ]);
  const unknownTool = await readPage(server, '/operators/op-00?tool=nothing');
  expect(unknownTool.status).toBe(404);
  expect(unknownTool.text).toContain('No board for this tool');
}

/** The comparison of operators. Each has one address, also for names in another order and older links. */
async function compare(server: RunningServer): Promise<void> {
  const pageWith = (query: string) => readPage(server, `/compare?with=${query}`);
  const two = await pageWith('op-03,op-11');
  expect([two.status, two.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  expect(two.text).toContain('The intervals of op-11 and op-03 overlap');
  const card = `${server.url}/cards/compare/op-03,op-11.png`;
  expect(two.html).toContain(`<meta property="og:image" content="${card}">`);
  expect(two.html).toContain(`rel="canonical" href="${server.url}/compare?with=op-03,op-11"`);
  expect((await pageWith('op-03,op-04')).text).toContain(
    'The intervals of op-04 and op-03 overlap',
  );
  expect((await pageWith('op-03%2Cop-11')).status).toBe(200);

  const moves = [
    ['/compare?with=op-11,op-03', '/compare?with=op-03,op-11'],
    ['/compare?with=op-11&and=OP-03&window=7d&x=1', '/compare?with=op-03,op-11&window=7d'],
    ['/compare?with=op-01,op-11', '/compare?with=new-name,op-11'],
    ['/operators/op-11?with=op-03&window=90d', '/compare?with=op-03,op-11&window=90d'],
    ['/compare.md?with=op-11,op-03', '/compare.md?with=op-03,op-11'],
  ];
  for (const [from = '', to] of moves) {
    const { status, headers } = await readPage(server, from);
    expect([from, status, headers.get('location')]).toEqual([from, 307, to]);
  }
  await compareWrongly(server);
}

async function compareWrongly(server: RunningServer): Promise<void> {
  const statusOf = async (query: string, message: string) => {
    const { status, html, headers } = await readPage(server, `/compare?with=${query}`);
    expect(html).toContain(message);
    expect(html).toContain('id="with-fault"');
    return [status, headers.get('cache-control')];
  };
  expect((await readPage(server, '/compare')).html).not.toContain('id="with-fault"');
  expect((await statusOf('op-03', 'at least 2'))[0]).toBe(200);
  expect(await statusOf('a,b,c,d,e', 'at most 4')).toEqual([400, 'no-store']);
  expect(await statusOf('%22%3E%3Cb%3E,op-03', 'is called &quot;&gt;&lt;b&gt;')).toEqual([
    404,
    'no-store',
  ]);
  const { status, text } = await readPage(server, '/compare?with=op-03,op-11&tool=nothing');
  expect([status, text.includes('No board for this tool')]).toEqual([404, true]);
}

test('it has no medians below five operators and no percentiles below 20, and escapes texts', async () => {
  const ctx = aPresentBoard();
  await addPeople(ctx, 4);
  const display_name = `"><script>alert(1)</script> עדה ${'W'.repeat(46)}`;
  const links = ['https://example.org/?q="><b>x</b>', `https://example.org/${'x'.repeat(170)}`];
  const bio = `<img src=x onerror=alert(1)>\n${'m'.repeat(400)}`;
  await identify(ctx, 'op-01', { display_name, bio, links, location: 'W'.repeat(80) });
  const server = await serve(ctx);

  const { text, html } = await readPage(server, '/operators/op-02');
  expect(text).toContain('of 4');
  expect(text).not.toContain('head of');
  expect(html).not.toContain('class="median"');
  expect(html).not.toContain('id="distribution"');

  // Operators cannot break out of the structured data.
  const dataAt = async (path: string) => structuredData((await readPage(server, path)).html);
  expect(await dataAt('/operators/op-01')).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { name: display_name, alternateName: 'op-01' },
  });
  const board = { '@type': 'Dataset', url: `${server.url}/leaderboard/7d/snr` };
  expect(await dataAt('/leaderboard/7d/snr')).toMatchObject(board);
  expect(await dataAt('/leaderboard/7d/snr?q=op')).toBeNull();

  const { page, misdeeds } = await aPage(server.url, { width: 320 });
  await page.goto(`${server.url}/operators/op-01`);
  expect(await page.locator('h1').textContent()).toContain(display_name);
  expect(await page.locator('main script, main b, main img[onerror]').count()).toBe(0);
  const rels = await page.locator('a[href^="https://example.org"]').evaluateAll((found) => {
    return found.map((link) => link.getAttribute('rel'));
  });
  expect(rels).toEqual(Array(2).fill('nofollow ugc noopener'));
  expect(await overflowOf(page)).toBe(0);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});
