import { describe, expect, test } from 'vitest';
import { type PreparedResponse, prepareResponse } from '#server/http/response/prepared-response.ts';
import { createLookup } from '#server/publication/lookup.ts';
import { Pages } from '#server/publication/pages.ts';
import type { Edition } from '#server/publication/publisher.ts';
import { publish, testContext } from '#tests/support/board/context.ts';
import { aConverter } from '#tests/support/pages/markdown.ts';

const BASE_URL = 'https://b.example';
const toMarkdown = aConverter();

async function aPage(title: string, status = 200): Promise<PreparedResponse> {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  const html = `<main><h1>${title}</h1></main>`;
  return prepareResponse(new Response(html, { status, headers }));
}

function pagesOf(prepared: Record<string, PreparedResponse>): Pages {
  const pages = new Pages();
  for (const [address, page] of Object.entries(prepared)) pages.add(address, page);
  return pages;
}

/** A lookup that reports what it had to render. */
async function aLookup(prepared: Record<string, PreparedResponse> = {}) {
  const rendered: string[] = [];
  const publication = publish(testContext());
  const edition: Edition = { publication, pages: pagesOf(prepared) };
  const state: { edition: Edition | null; siteVersion: string } = { edition, siteVersion: '' };
  const lookup = createLookup({
    baseUrl: BASE_URL,
    edition: () => state.edition,
    assets: new Map([['/icon.svg', await aPage('icon')]]),
    finish: (address) => {
      rendered.push(address);
      return aPage(`${address} ${state.siteVersion}`, address.includes('nobody') ? 404 : 200);
    },
    toMarkdown,
    siteVersion: () => state.siteVersion,
  });
  const textOf = async (target: string) => {
    const found = await lookup(target);
    return found && String(found.encodings.identity.bytes);
  };
  return { lookup, textOf, rendered, state, edition };
}

describe('a lookup', () => {
  test('finds a prepared response, or keeps one from the first request on', async () => {
    const { textOf, rendered } = await aLookup({ '/': await aPage('front') });

    expect(await textOf('/?x')).toContain('front');
    expect(await textOf('/icon.svg')).toContain('icon');
    await textOf('/operators/ada?x=1');
    expect(await textOf('/operators/ada')).toContain('/operators/ada');
    expect(rendered).toEqual(['/operators/ada']);
    expect(await textOf('/settings')).toBeUndefined();
  });

  test('converts existing bytes to Markdown without rendering again', async () => {
    const { lookup, textOf, rendered } = await aLookup({ '/': await aPage('front') });

    expect(await textOf('/index.md')).toMatch(/^# front\n\nSource: <https:\/\/b\.example\/>/);
    await Promise.all(['/science', '/science.md', '/science.md?x'].map((target) => textOf(target)));
    expect(rendered).toEqual(['/science']);
    expect(await lookup('/science.md')).toBe(await lookup('/science.md'));
  });

  test('prepares the response again for the next edition', async () => {
    const { textOf, rendered, state, edition } = await aLookup();
    await textOf('/science.md');
    state.edition = { ...edition, pages: pagesOf({ '/science': await aPage('new') }) };

    expect(await textOf('/science.md')).toMatch(/^# new\n/);
    expect(rendered).toEqual(['/science']);
  });

  test('does not send a page of an edition that was replaced while it was made', async () => {
    const { textOf, rendered, state, edition } = await aLookup();
    const asked = textOf('/science');
    state.edition = { ...edition, pages: pagesOf({ '/science': await aPage('new') }) };

    expect(await asked).toContain('new');
    const again = textOf('/metrics');
    state.edition = { ...edition, pages: pagesOf({}) };
    expect(await again).toContain('/metrics');
    expect(rendered).toEqual(['/science', '/metrics', '/metrics']);
  });

  test('sends nothing of an edition that was withdrawn while a page was made', async () => {
    const { textOf, state } = await aLookup();
    const asked = textOf('/science');
    state.edition = null;

    expect(await asked).toBeUndefined();
  });

  test('keeps responses that no publication changes', async () => {
    const { lookup, rendered, state } = await aLookup();
    const first = await lookup('/openapi.json');
    state.edition = null;

    expect(await lookup('/openapi.json')).toBe(first);
    expect(rendered).toEqual(['/openapi.json']);
  });

  test('prepares everything again when what all pages contain changes', async () => {
    const { textOf, rendered, state } = await aLookup({ '/': await aPage('front') });
    const addresses = ['/', '/index.md', '/science', '/openapi.json'];
    await Promise.all(addresses.map((address) => textOf(address)));
    rendered.length = 0;
    state.siteVersion = 'new';

    const texts = await Promise.all(addresses.map((address) => textOf(address)));

    expect(texts).toEqual(texts.map(() => expect.stringContaining('new') as unknown));
    expect(rendered.sort()).toEqual(['/', '/openapi.json', '/science']);
    await textOf('/science');
    expect(rendered).toHaveLength(3);
  });

  test('does not keep a page that was begun before such a change', async () => {
    const { textOf, rendered, state } = await aLookup();
    const begun = textOf('/science');
    state.siteVersion = 'new';
    await begun;

    expect(await textOf('/science')).toContain('new');
    expect(rendered).toEqual(['/science', '/science']);
  });

  test('returns a Markdown error if the page is one, and does not keep it', async () => {
    const { lookup, rendered } = await aLookup();

    expect((await lookup('/operators/nobody.md'))?.status).toBe(404);
    expect((await lookup('/operators/nobody.md'))?.status).toBe(404);
    expect(rendered).toHaveLength(2);
    expect(lookup('/operators/ada.md?with=bob')).toBeUndefined();
    expect(lookup('/submissions.md')).toBeUndefined();
  });
});
