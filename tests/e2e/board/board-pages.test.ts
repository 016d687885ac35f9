/** The board's pages over HTTP: filters, caching, and the reader's own rank. */
import { describe, expect, test } from 'vitest';
import type { RunningServer } from '#tests/support/http/server.ts';
import { filledBoard, plainBoard } from '#tests/support/http/worker-boards.ts';

const BOARD = '/leaderboard/30d/yield';

async function read({ url }: RunningServer, path: string, cookie?: string) {
  const headers: Record<string, string> = cookie === undefined ? {} : { Cookie: cookie };
  const answer = await fetch(url + path, { headers, redirect: 'manual' });
  const text = (await answer.text()).replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ');
  return { answer, text, status: answer.status, title: titleOf(text) };
}

/** The title of the board, which is not the first heading of the front page. */
const titleOf = (text: string) => {
  const board = /<h2 class="title[^>]*>([^<]*)</.exec(text) ?? /<h1[^>]*>([^<]*)</.exec(text);
  return board?.[1] ?? '';
};
const linkOf = (text: string, rel: string) =>
  new RegExp(`<link rel="${rel}" href="([^"]*)"`).exec(text)?.[1];
const namesIn = (text: string) =>
  [...text.matchAll(/<th scope="row"[^>]*>.*?<bdi[^>]*>([^<]*)</gs)].map(([, name]) =>
    name?.trim(),
  );

describe('the pages of a board', () => {
  test('open on the tool with the most ranked operators, and keep their filters', async () => {
    const server = await filledBoard();
    const front = await read(server, '/');
    const same = await read(server, `${BOARD}?tool=claude-code`);
    const all = await read(server, BOARD);
    const codex = await read(server, '/leaderboard/7d/snr?tool=codex&q=op-1&utm=x');

    expect(front.title).toBe('Yield leaderboard, last 30 days, claude-code');
    expect(namesIn(front.text)).toEqual(namesIn(same.text));
    expect(linkOf(front.text, 'canonical')).toBe(`${server.url}/`);
    expect(linkOf(same.text, 'canonical')).toBe(`${server.url}/`);
    expect(front.text).not.toContain('This board mixes tools');
    expect(all.title).toBe('Yield leaderboard, last 30 days, all tools');
    expect(all.text).toContain('This board mixes tools');
    expect(linkOf(all.text, 'canonical')).toBe(server.url + BOARD);
    expect(codex.title).toBe('SNR leaderboard, last 7 days, codex, named “op-1”');
    expect(namesIn(codex.text)).toEqual(['op-18', 'op-15', 'op-12']);
    expect(codex.text).toContain('href="/leaderboard/30d/snr?tool=codex&q=op-1"');
    expect(codex.text).toContain('href="/operators/op-18?window=7d&tool=codex"');
    expect(front.text).toMatch(/href="\/operators\/op-\d+\?tool=claude-code"/);
    expect(codex.text).toContain('content="noindex"');
    expect(codex.text).toContain('/api/v1/leaderboard?window=7d&metric=snr&tool=codex');
  });

  test('link how to join and how ranking works above the board, and the front page how to verify it', async () => {
    const server = await filledBoard();
    const introOf = async (path: string) => {
      const { text } = await read(server, path);
      return /<h1[^]*?(?=<td class="num rank)/.exec(text)?.[0] ?? '';
    };
    const front = await introOf('/');
    const deep = await introOf('/leaderboard/90d/snr');

    for (const intro of [front, deep]) {
      expect(intro).toContain('href="#join"');
      expect(intro).toContain('href="/methodology/ranking"');
      expect(intro).toContain('How to read a row');
      expect(intro).toMatch(/conservative \w+, the measured value lowered by its uncertainty/);
    }
    expect(front).toContain('href="/docs/build/verification"');
    expect(deep).not.toContain('href="/docs/build/verification"');
  });

  test('show in each row the number that ranks, in order, and at most six figures', async () => {
    const server = await filledBoard();

    for (const metric of ['yield', 'leverage', 'velocity', 'snr', 'dev10x']) {
      const { text } = await read(server, `/leaderboard/30d/${metric}`);
      const rows = text.match(/<tr[^>]*> *<td class="num rank.*?<\/tr>/g) ?? [];
      const shown = rows.map((row) =>
        Number(/class="ranks"[^>]*> ([\d,.]+)/.exec(row)?.[1]?.replaceAll(',', '')),
      );
      expect(shown.length).toBeGreaterThan(9);
      expect(shown).toEqual(shown.toSorted((a, b) => b - a));
      for (const row of rows) {
        const cells = row.match(/<td class="num.*?<\/td>/g) ?? [];
        const text = cells
          .map((cell) =>
            cell.replaceAll(/<span class="(?:phone|interval).*?<\/span>|<[^>]*>/g, ' '),
          )
          .join(' ');
        expect(text.match(/\d[\d,.–]*/g)?.length).toBeLessThanOrEqual(6);
      }
    }
  });

  test('link the next and previous pages, which search engines must not index', async () => {
    const server = await filledBoard();
    const first = await read(server, BOARD);
    const next = linkOf(first.text, 'next') ?? '';
    const second = await read(server, next);

    expect(namesIn(first.text)).toHaveLength(50);
    expect(namesIn(second.text)).toHaveLength(3);
    expect(first.text).toContain('Next: 51–53 of 53');
    expect(first.text).toContain('<a href="#join"');
    expect(first.text).not.toContain('not counted');
    expect(first.text).not.toContain('> Change <');
    expect(linkOf(second.text, 'prev')).toBe(BOARD);
    expect(linkOf(second.text, 'next')).toBeUndefined();
    expect(second.text).toContain('content="noindex"');
    expect(first.text).not.toContain('content="noindex"');
  });

  test('explain what is missing, and link what exists', async () => {
    const server = await filledBoard();

    for (const query of ['tool=nothing', 'cohort=nothing', 'class=puddle', 'trust=me']) {
      const { status, title, text, answer } = await read(server, `${BOARD}?${query}`);
      expect([query, status, title]).toEqual([query, 404, 'Board not found']);
      expect(text).toContain(`href="${BOARD}"`);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect((await read(server, `${BOARD}?after=1.2.3`)).status).toBe(410);
    expect((await read(server, '/leaderboard/1d/yield?tool=codex')).status).toBe(404);
    const nobody = await read(server, `${BOARD}?q=%3Cb%3E`);
    expect(nobody.text).toContain('No operator matches “&lt;b&gt;”.');
    const ocean = await read(server, `${BOARD}?class=ocean`);
    expect(ocean.text).toMatch(
      /No operator in class Ocean has tokens\. <a href="\/leaderboard\/30d\/yield"/,
    );
  });

  test('are the same for everyone, with any cookie', async () => {
    const server = await filledBoard();
    const cookie = await server.signIn('grace');

    for (const path of ['/', BOARD, `${BOARD}?tool=codex`, `${BOARD}?class=sea`, `${BOARD}?q=op`]) {
      const out = await read(server, path);
      const own = await read(server, path, cookie);
      expect(own.text).toBe(out.text);
      expect(own.answer.headers.get('etag')).toBe(out.answer.headers.get('etag'));
      expect(own.answer.headers.get('cache-control')).toBe('public, max-age=60');
      expect(own.answer.headers.getSetCookie()).toEqual([]);
      expect(own.text).not.toContain('grace');
    }
  });
});

test('an empty board explains how to join, and links the guide for admins', async () => {
  const server = await plainBoard();
  const { text, title } = await read(server, '/');

  expect(title).toBe('Yield leaderboard, last 30 days');
  expect(text).toContain('href="/docs/run"');
  expect(text).not.toContain('login-link');
  const commands = text.replaceAll(/<[^>]*>/g, '');
  expect(commands.split(/npx --yes --allow-remote=root (\S+) enroll CODE/)[1]).toMatch(
    new RegExp(`^${server.url}/opbench-[\\w.-]+\\.tgz$`),
  );
  expect(commands).toContain(`curl -fsSL ${server.url}/install.sh | sh -s -- enroll CODE`);
  expect(commands).toContain(`irm ${server.url}/install.ps1 | iex; opbench enroll CODE`);
  const order = ['#join"', 'id="join"', 'href="/docs/run"', 'id="meaning"'];
  const places = order.map((part) => text.indexOf(part, text.indexOf('</header>')));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(text).not.toContain('Search and filter');
  expect(text).not.toContain('Show my rank');
});

describe('your rank', () => {
  const path = `/where-am-i?window=30d&metric=leverage&tool=claude-code`;
  const row = path.replace('?', '/row?');

  test('is visible only to its owner, and not cached', async () => {
    const server = await filledBoard();
    const cookie = await server.signIn('ada');
    const own = await read(server, row, cookie);
    const page = await read(server, path, cookie);

    expect(own.status).toBe(200);
    expect(own.text).toMatch(/^ ?<p class="own/);
    expect(own.text).toContain('1,010.1');
    expect(own.text).toContain('signed in as ada');
    expect(page.title).toBe('Your rank');
    expect(page.text).toContain('Leverage leaderboard, last 30 days, claude-code.');
    expect(page.text).toContain('content="noindex"');
    for (const { answer } of [own, page]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    expect(server.log()).not.toContain(cookie.split('=')[1]);
  });

  test('is empty for signed-out readers; its page redirects to the sign-in', async () => {
    const server = await plainBoard();
    const nothing = await read(server, row);
    const page = await read(server, path);

    expect([nothing.status, nothing.text]).toEqual([204, '']);
    expect(nothing.answer.headers.get('cache-control')).toBe('no-store');
    expect(page.status).toBe(303);
    const login = `/login?return_to=${encodeURIComponent(path)}`;
    expect(page.answer.headers.get('location')).toBe(login);
    expect((await read(server, row, 'session=forged')).status).toBe(204);
  });

  test('does not reveal to other sites whether someone is signed in', async () => {
    const server = await plainBoard();
    const opened = ['session=forged', await server.signIn('bob')].map(async (Cookie) => {
      const headers = { 'Sec-Fetch-Dest': 'document', Cookie };
      const answer = await fetch(server.url + row, { headers, redirect: 'manual' });
      const told = ['location', 'cache-control', 'set-cookie', 'content-length'];
      return [answer.status, ...told.map((name) => answer.headers.get(name))];
    });

    const leads = [303, path, 'no-store', null, '0'];
    expect(await Promise.all(opened)).toEqual([leads, leads]);
  });

  test('explains a missing rank, and returns nothing for an unknown board', async () => {
    const server = await plainBoard();
    const cookie = await server.signIn('ada');

    const { text } = await read(server, '/where-am-i/row', cookie);
    expect(text).toContain('You have no signed tokens in the last 30 days.');
    expect((await read(server, '/where-am-i?window=9d', cookie)).status).toBe(404);
    expect((await read(server, '/where-am-i/row?tool=nothing', cookie)).status).toBe(204);
  });
});
