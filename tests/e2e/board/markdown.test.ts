/** Pages as Markdown, and llms.txt, which links them. */
import { expect, test } from 'vitest';
import { markdownPath } from '#core/contract/site-routes.ts';
import { readLlmsTxt } from '#tests/support/pages/llms-txt.ts';
import { expressionsIn } from '#tests/support/text/expressions.ts';
import { proseOf } from '#tests/support/text/shown-text.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import { filledBoard, plainBoard } from '#tests/support/http/worker-boards.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';

function reader({ url }: RunningServer) {
  return async (address: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(url + address, { headers, method, redirect: 'manual' });
    return { ...headOf(answer), text: await answer.text() };
  };
}

function headOf({ status, headers }: Response) {
  const [type, etag, vary, place, encoding] = [
    'content-type',
    'etag',
    'vary',
    'content-location',
    'content-encoding',
  ].map((name) => headers.get(name));
  return { status, type, etag, vary, place, encoding, location: headers.get('location') };
}

/** The pages that a page links. */
function pagesIn(html: string): string[] {
  return [...html.matchAll(/ href="(\/[^"#]*)/g)].map(([, href = '']) => href);
}

test('a board serves its pages as Markdown on request, and llms.txt links them', async () => {
  const server = await filledBoard();
  await expectTwins(server);
  await expectChoice(reader(server));
  await expectRefusals(reader(server));
  await expectGuide(server, 'ranks 53 operators');
});

test('llms.txt of an empty board links existing pages', async () => {
  await expectGuide(await plainBoard(), 'ranks 0 operators');
});

/** Every public page has a Markdown version. */
async function expectTwins(server: RunningServer): Promise<void> {
  const read = reader(server);
  const front = await read('/');
  const operators = pagesIn(front.text).filter((page) => page.startsWith('/operators/'));
  // Some pages of each file are enough.
  const others = new Set(operators.slice(3));
  const led = pagesIn(front.text).filter(
    (page) => !others.has(page) && !/board\/(?!30d.yield|all_time)/.test(page),
  );
  const found = new Set(['/problems', '/problems/not_found', ...led]);
  const submissions = await read('/submissions');
  pagesIn(submissions.text)
    .slice(-30)
    .forEach((page) => found.add(page));
  const pages = [...found].map((page) => page.replaceAll('&amp;', '&'));
  const twinned = pages.filter((page) => markdownPath(page) !== null);

  expect(
    twinned.filter((page) => /^\/(?:operators|submissions)\/./.test(page)).length,
  ).toBeGreaterThan(2);
  for (const page of twinned) {
    const twin = markdownPath(page) ?? '';
    const html = await read(page);
    const { status, type, text } = await read(twin);
    expect([twin, status, type]).toEqual([twin, html.status, MARKDOWN]);
    expect(text).toContain(`\n\nSource: <${server.url}${page}>, as of `);
    expect(text).toMatch(/^# \S/);
    expect(text.slice(2)).not.toMatch(/^# |<\/?\w+[ >]|data-astro|M\d+ \d+/m);
    expectReadable(text, server.url);
    if (page !== '/') expect(html.text).toContain('<link rel="alternate" type="text/markdown"');
  }
}

/** It does not mention charts, separates items, and links other Markdown versions. */
function expectReadable(text: string, url: string): void {
  expect(text).not.toMatch(
    /thick mark|\b[Dd]ot\b|each tick|off the (?:scale|chart)|drawn as|[Ee]ach mark/,
  );
  expect(text).not.toMatch(/\]\([^)]+\) ?\[|\d (?:next update|rank|set|95% interval) \d/);
  const told = text.replaceAll(/^```[^]*?^```/gm, '');
  const links = [...told.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => markdownPath(link.replace(url, '')))).toEqual([]);
}

/** It follows the client's preference. */
async function expectChoice(read: ReturnType<typeof reader>): Promise<void> {
  const twin = await read('/science.md');
  const page = await read('/science');
  expect(twin).toMatchObject({
    status: 200,
    vary: 'Accept, Accept-Encoding',
    place: null,
  });
  expect(page).toMatchObject({ status: 200, vary: 'Accept, Accept-Encoding', place: null });
  expect(page.type).toBe('text/html; charset=utf-8');

  const markdown = { Accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' };
  const etag = { 'If-None-Match': twin.etag ?? '' };
  const chosen = { ...twin, place: '/science.md' };
  expect(await read('/science', markdown)).toEqual(chosen);
  expect(await read('/science', { ...markdown, ...etag })).toMatchObject({
    status: 304,
    place: '/science.md',
    text: '',
  });
  expect((await read('/science', etag)).status).toBe(200);
  const html = { Accept: 'text/markdown;q=0.5, text/html' };
  expect(await read('/science', html)).toEqual(page);
  expect((await read('/science.md', html)).type).toBe(MARKDOWN);
  expect((await read('/science.md', { 'Accept-Encoding': 'br' })).encoding).toBe('br');
  expect(await read('/science.md', {}, 'HEAD')).toEqual({ ...twin, text: '' });
  expect((await read('/science.md', {}, 'POST')).status).toBe(405);
  expect(await read('/submissions.md?trust=signed')).toMatchObject({ status: 200, type: MARKDOWN });
  expect(await read('/science.md/')).toMatchObject({ status: 308, location: '/science.md' });
  expect(await read('/science/', { Accept: 'text/markdown' })).toMatchObject({
    status: 308,
    location: '/science',
  });
}

/** It returns the page's errors, and personal pages have none. */
async function expectRefusals(read: ReturnType<typeof reader>): Promise<void> {
  for (const page of [
    '/operators/nobody-here',
    '/metrics/x',
    '/problems/x',
    '/leaderboard/1d/yield',
    '/challenges/none',
  ]) {
    const suffix = await read(`${page}.md`);
    expect([page, suffix.status, suffix.type]).toEqual([page, 404, MARKDOWN]);
    expect(suffix.text).toMatch(/^# /);
    expect(await read(page, { Accept: 'text/markdown' })).toEqual({
      ...suffix,
      place: `${page}.md`,
    });
  }
  for (const page of ['/login', '/settings', '/where-am-i', '/index.md', '/nowhere']) {
    const plain = await read(`${page}.md`);
    expect([page, plain.status, plain.type]).toEqual([page, 404, 'text/html; charset=utf-8']);
    const asked = await read(`${page}.md`, { Accept: 'text/markdown' });
    expect([page, asked.status, asked.type]).toEqual([page, 404, MARKDOWN]);
  }
}

/** It describes the board and links existing pages. */
async function expectGuide(server: RunningServer, told: string): Promise<void> {
  const read = reader(server);
  const guide = await read('/llms.txt');
  const { title, summary, info, sections } = readLlmsTxt(guide.text);
  const links = Object.values(sections).flat();

  expect(guide).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
  expect([title, summary?.split(':')[0]]).toEqual([
    'Opbench',
    'A leaderboard for people who work with AI assistants',
  ]);
  expect(expressionsIn(proseOf(guide.text))).toEqual([]);
  expect(info).toContain(told);
  expect(info).toContain('search=yes, ai-input=yes, ai-train=no');
  expect(Object.keys(sections)).toEqual([
    'Board',
    'What the numbers mean',
    'Documentation',
    'For programs',
    'Optional',
  ]);
  expect(links.length).toBeGreaterThan(20);
  for (const { url } of links) {
    expect(url.startsWith(`${server.url}/`)).toBe(true);
    const { status, type } = await read(url.slice(server.url.length));
    expect([url, status]).toEqual([url, 200]);
    if (/\.md(?:$|\?)/.test(url)) expect(type).toBe(MARKDOWN);
  }
  await expectAddresses(guide.text, server.url, read);
  expect((await read('/llms.txt?x=1')).etag).toBe(guide.etag);
}

/** Everything that looks like a URL to a program without Markdown support is one. */
async function expectAddresses(text: string, url: string, read: ReturnType<typeof reader>) {
  const addresses = text.match(/https?:[^\s)>`]+/g) ?? [];
  expect(addresses).toEqual(expect.arrayContaining([`${url}/login`, `${url}/api/mcp`]));
  for (const address of addresses) {
    const { status } = await read(address.slice(url.length));
    expect([address, [200, 303, 405].includes(status)]).toEqual([address, true]);
  }
}
