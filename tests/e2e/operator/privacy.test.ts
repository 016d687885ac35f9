/** Compares the privacy pages with what browsers get. */
import { expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';
import { startServer } from '#tests/support/http/server.ts';
import { CLIENT, aSite, visit } from '#tests/support/http/upstream.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

/** The cookies that a page lists, with the longest time that a browser keeps them, in seconds. */
function listedIn(html: string): Map<string, number> {
  const section =
    /<section[^>]* aria-labelledby="cookies"[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const terms = section.matchAll(/<dt[^>]*>([^<]+)<\/dt>[\s\S]*?at most (\d+) (day|minute)s?/g);
  return new Map(
    [...terms].flatMap(([, names = '', many, unit]) => {
      const seconds = Number(many) * (unit === 'day' ? 86_400 : 60);
      return names.split(', ').map((name): [string, number] => [name, seconds]);
    }),
  );
}

/** Collects every cookie that a visitor gets, with its lifetime in seconds. */
function noteCookies(visitor: Visitor, given: Map<string, number>): void {
  const request = visitor.request.bind(visitor);
  visitor.request = async (url, init) => {
    const answer = await request(url, init);
    for (const line of answer.headers.getSetCookie()) {
      const name = /^[^=]+/.exec(line)?.[0] ?? '';
      const maxAge = /max-age=(\d+)/i.exec(line)?.[1];
      const expires = /expires=([^;]+)/i.exec(line)?.[1];
      const left = expires === undefined ? 0 : (Date.parse(expires) - Date.now()) / 1000;
      given.set(name, Math.max(given.get(name) ?? 0, Number(maxAge ?? left)));
    }
    return answer;
  };
}

test('every cookie that a browser can get is listed, with its longest lifetime', async () => {
  const [post, site] = [await aMailServer(), await aSite('github')];
  const { url, dataDir } = await startServer({
    env: {
      SMTP_URL: post.smtpUrl,
      MAIL_FROM: 'board@example.org',
      CONTACT_EMAIL: 'admin@example.org',
      GITHUB_CLIENT_ID: CLIENT.clientId,
      GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
      GITHUB_URL: site.url,
      GITHUB_API_URL: site.url,
    },
  });
  const given = new Map<string, number>();
  const visitor = new Visitor(url);
  noteCookies(visitor, given);
  for (const page of ['/', '/privacy', '/metrics', '/challenges', '/api/v1/leaderboard']) {
    await visitor.open(page);
  }
  expect(given.size).toBe(0);

  const invited = await runAdmin(['invite', 'create', '--for', 'a test'], { DATA_DIR: dataDir });
  const asked = await visitor.post(new URL(invited.stdout.trim()).pathname, {});
  await visitor.post(`${new URL(asked.url).pathname}/mail`, { address: 'ada@example.org' });
  const token = /\/login\/mail\/link\?token=([\w-]+)/.exec(post.mails[0]?.text ?? '')?.[1] ?? '';
  await visitor.post('/login/mail/link', { token });
  const onward = await visitor.post('/settings/sign-in', { action: 'link-github' });
  await visitor.open((await visit(onward.url)).href);

  const html = await (await fetch(`${url}/privacy/visits`)).text();
  const listed = listedIn(html);
  expect([...listed.keys()].sort()).toEqual([...given.keys()].sort());
  for (const [name, seconds] of given) {
    expect([name, seconds <= (listed.get(name) ?? 0)]).toEqual([name, true]);
  }
  expect(html).toMatch(/<strong>GitHub<\/strong>/);
  expect(html).not.toMatch(/<strong>X<\/strong>/);
  const overview = await (await fetch(`${url}/privacy`)).text();
  expect(overview).toContain('href="mailto:admin@example.org"');
});

test('no page or response may be cached longer than the page says', async () => {
  const { url } = await plainBoard();
  const stored = await (await fetch(`${url}/privacy/board`)).text();
  expect(stored).toMatch(/60 seconds.*badge for 5 minutes/s);
  const visits = await (await fetch(`${url}/privacy/visits`)).text();
  expect(visits).toContain('a line for each request: ');
  const addresses = [
    '/',
    '/leaderboard/7d/snr',
    '/metrics',
    '/metrics/yield',
    '/challenges',
    '/hall-of-signal',
  ];
  const data = ['/api/v1/leaderboard', '/api/v1/metrics/leaders', '/api/v1/log', '/log.ndjson.gz'];
  for (const address of [
    ...addresses,
    '/privacy',
    '/privacy/board',
    '/developers',
    '/developers/board',
    ...data,
  ]) {
    const kept = (await fetch(url + address)).headers.get('cache-control');
    expect([address, kept]).toEqual([address, 'public, max-age=60']);
  }
  const badge = (await fetch(`${url}/badge/nobody.svg`)).headers.get('cache-control');
  expect(badge).toBe('public, max-age=300');
});
