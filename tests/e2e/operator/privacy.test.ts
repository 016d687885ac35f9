/** What the privacy page says of browsers is what they get. */
import { expect, test } from 'vitest';
import { aMailServer } from '#tests/support/http/post-office.ts';
import { startServer } from '#tests/support/http/server.ts';
import { CLIENT, aSite, visit } from '#tests/support/http/upstream.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

/** The cookies that a page names, with the seconds that a browser keeps them at most. */
function toldIn(html: string): Map<string, number> {
  const section =
    /<section[^>]* aria-labelledby="cookies"[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  const terms = section.matchAll(
    /<dt[^>]*>([^<]+)<\/dt>[\s\S]*?Kept (\d+) (day|minute)s? at most/g,
  );
  return new Map(
    [...terms].flatMap(([, names = '', many, unit]) => {
      const seconds = Number(many) * (unit === 'day' ? 86_400 : 60);
      return names.split(', ').map((name): [string, number] => [name, seconds]);
    }),
  );
}

/** Notes every cookie that a visitor is given, with the seconds that it lives. */
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

test('every cookie that a browser can get is told, and lives no longer than that', async () => {
  const [post, site] = [await aMailServer(), await aSite('github')];
  const { url } = await startServer({
    env: {
      SMTP_URL: post.smtpUrl,
      MAIL_FROM: 'board@example.org',
      CONTACT_EMAIL: 'keeper@example.org',
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

  const asked = await visitor.open('/login');
  await visitor.post(`${new URL(asked.url).pathname}/mail`, { address: 'ada@example.org' });
  const token = /\/login\/mail\/link\?token=([\w-]+)/.exec(post.mails[0]?.text ?? '')?.[1] ?? '';
  await visitor.post('/login/mail/link', { token });
  const onward = await visitor.post('/settings/sign-in', { action: 'link-github' });
  await visitor.open((await visit(onward.url)).href);

  const html = await (await fetch(`${url}/privacy`)).text();
  const told = toldIn(html);
  expect([...told.keys()].sort()).toEqual([...given.keys()].sort());
  for (const [name, seconds] of given) {
    expect([name, seconds <= (told.get(name) ?? 0)]).toEqual([name, true]);
  }
  expect(html).toContain('href="mailto:keeper@example.org"');
  expect(html).toContain('GitHub, if you choose it');
  expect(html).not.toContain('X, if you choose it');
});

test('no page or answer may be kept longer elsewhere than the page says', async () => {
  const { url } = await plainBoard();
  const html = await (await fetch(`${url}/privacy`)).text();
  expect(html).toContain('for 60 seconds, a badge for 5 minutes');
  expect(html).toContain('The log of the server has a line for each request: ');
  expect(html).not.toContain('no log of');
  const addresses = [
    '/',
    '/leaderboard/7d/snr',
    '/metrics',
    '/metrics/yield',
    '/challenges',
    '/hall-of-signal',
  ];
  const data = ['/api/v1/leaderboard', '/api/v1/metrics/leaders', '/api/v1/log', '/log.ndjson.gz'];
  for (const address of [...addresses, '/privacy', '/developers', '/developers/board', ...data]) {
    const kept = (await fetch(url + address)).headers.get('cache-control');
    expect([address, kept]).toEqual([address, 'public, max-age=60']);
  }
  const badge = (await fetch(`${url}/badge/nobody.svg`)).headers.get('cache-control');
  expect(badge).toBe('public, max-age=300');
});
