import { describe, expect, test } from 'vitest';
import { type AtomEntry, type AtomFeed, atomXml } from '#server/feeds/atom.ts';
import { atomFaults, textsOf } from '#tests/support/pages/xml.ts';

const AT = '2026-03-10T09:00:00.000Z';
const HOSTILE = ']]> & &amp; &lt;b> <script>"\u0000\u0007\ud800 \u{1f600} \u202e';
/** The same without characters that XML does not allow. */
const HELD = ']]> & &amp; &lt;b> <script>" \u{1f600} \u202e';

function anEntry(over: Partial<AtomEntry> = {}): AtomEntry {
  return { name: 'day 1', title: 'One', html: '<p>One</p>', href: '/', updated: AT, ...over };
}

function written(over: Partial<AtomFeed> = {}): string {
  return atomXml({
    board: 'key',
    baseUrl: 'http://127.0.0.1:4321',
    name: 'feed',
    path: '/feed.atom',
    href: '/',
    title: 'Board',
    subtitle: 'A board.',
    updated: AT,
    entries: [anEntry()],
    ...over,
  });
}

describe('atomXml()', () => {
  test('is valid with and without entries', async () => {
    expect(await atomFaults(written())).toEqual([]);
    expect(await atomFaults(written({ entries: [] }))).toEqual([]);
    expect(await atomFaults(written().replace('<updated>', '<updated>so '))).not.toEqual([]);
    expect(await atomFaults(written().replaceAll('<name>Board</name>', ''))).not.toEqual([]);
  });

  test('has its address, the author and the subject', () => {
    const xml = written();

    expect(xml).toContain('<link rel="self" href="http://127.0.0.1:4321/feed.atom"/>');
    expect(xml).toContain('<link rel="alternate" href="http://127.0.0.1:4321/"/>');
    expect(textsOf(xml, 'name')).toEqual(['Board']);
    expect(textsOf(xml, 'subtitle')).toEqual(['A board.']);
    expect(textsOf(xml, 'updated')).toEqual([AT, AT]);
    expect(xml).not.toContain('generator');
  });

  test('escapes hostile texts', async () => {
    const entry = anEntry({ title: HOSTILE, html: `<p>${HOSTILE}</p>`, href: '/?a=1&b=%26' });
    const xml = written({ title: HOSTILE, subtitle: HOSTILE, entries: [entry] });

    expect(await atomFaults(xml)).toEqual([]);
    expect(textsOf(xml, 'subtitle')).toEqual([HELD]);
    expect(textsOf(xml, 'name')).toEqual([HELD]);
    const asHtml = HELD.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    expect(textsOf(xml, 'title')).toEqual([HELD, asHtml]);
    expect(textsOf(xml, 'content')).toEqual([`<p>${HELD}</p>`]);
    expect(xml).toContain('href="http://127.0.0.1:4321/?a=1&amp;b=%26"');
  });

  test("gives an entry a permanent ID that does not depend on the board's address and is unique", () => {
    const ids = textsOf(written(), 'id');

    expect(ids).toEqual(Array(2).fill(expect.stringMatching(/^urn:uuid:[\da-f-]{36}$/)));
    expect(ids[1]).toBe('urn:uuid:caa38d15-ae7e-8ed3-963f-8a7d609d0451');
    expect(textsOf(written({ baseUrl: 'https://moved.example', title: 'Other' }), 'id')).toEqual(
      ids,
    );
    expect(new Set([...ids, ...textsOf(written({ board: 'other' }), 'id')]).size).toBe(4);
    const changed = written({
      entries: [anEntry({ title: 'Two', updated: '2026-03-11T00:00:00Z' })],
    });
    expect(textsOf(changed, 'id')).toEqual(ids);
  });
});
