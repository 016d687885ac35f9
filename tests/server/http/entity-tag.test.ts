import { describe, expect, test } from 'vitest';
import {
  answerTag,
  prepare,
  prepareOnce,
  prepareResponse,
  pageTag,
  strongTag,
  weakTag,
  withoutMoments,
} from '#server/http/response/prepared-response.ts';

const COMPUTED =
  '<time data-computed="true" datetime="2026-11-22T15:38:00.000Z" title="x">15:38</time>';
const LATER = COMPUTED.replaceAll('15:38', '16:08');
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

const page = (...parts: string[]) => Buffer.from(`<p>é ${parts.join(' ')} </p>`.repeat(40));
const tagOf = (html: string) => pageTag(Buffer.from(html));

describe('the tag of a page', () => {
  test('ignores the time of its computation', () => {
    expect(tagOf(`a ${COMPUTED}`)).toMatch(/^W\/"[\w-]{22}"$/);
    expect(tagOf(`a ${LATER}`)).toBe(tagOf(`a ${COMPUTED}`));
    const told = (day: string) =>
      tagOf(`{"dateModified":"${day}","temporalCoverage":"../${day}","name":"x"}`);
    expect(told('2026-11-22')).toBe(told('2026-11-23'));
  });

  test('changes with everything else, including other timestamps', () => {
    const other = COMPUTED.replace(' data-computed="true"', '');
    const texts = [`a ${COMPUTED}`, `b ${COMPUTED}`, `é ${COMPUTED}`, `a ${COMPUTED} ${other}`];
    expect(
      new Set([...texts, `a ${COMPUTED} ${other.replaceAll('15', '16')}`].map(tagOf)).size,
    ).toBe(5);
    expect(tagOf('a')).toBeNull();
    expect(withoutMoments(`a ${other}`)).toBe(`a ${other}`);
  });

  test('is the same for all encodings; for other bytes, each encoding has its own', async () => {
    const { encodings } = await prepare(page(COMPUTED), HTML);
    const { identity, gzip, br } = encodings;
    expect([gzip.etag, br.etag]).toEqual([identity.etag, identity.etag]);
    expect((await prepareOnce(page(LATER), HTML, 'br')).etag).toBe(identity.etag);
    expect(br.head.filter((name) => name.toLowerCase() === 'etag')).toEqual(['ETag']);

    const plain = await prepare(page('a longer one'), HTML);
    const tags = Object.values(plain.encodings).map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(3);
    expect(plain.encodings.identity.etag).toBe(strongTag(page('a longer one')));
    const text = await prepare(page(COMPUTED), { 'Content-Type': 'text/plain' });
    expect(text.encodings.identity.etag).not.toMatch(/^W/);
  });
});

test("a response's own tag is the one that is sent", async () => {
  const headers = { ETag: weakTag('x'), 'Content-Type': 'text/markdown' };
  const { encodings } = await prepareResponse(new Response('y'.repeat(600), { headers }));
  expect(encodings.br.etag).toBe(weakTag('x'));
  expect(encodings.br.head.filter((text) => text === weakTag('x'))).toHaveLength(1);
});

describe('the tag of an API response', () => {
  const HEAD = {
    as_of: '2026-11-22',
    log_index: 7,
    generated_at: '2026-11-22T15:38:00.000Z',
    next_refresh_at: '2026-11-22T15:43:00.000Z',
  };

  test('ignores only the time of its computation', () => {
    const tag = answerTag(HEAD);
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(answerTag({ ...HEAD, as_of: '2026-11-23', generated_at: 'x' })).toBe(tag);
    expect(answerTag({ ...HEAD, log_index: 8 })).not.toBe(tag);
    expect(answerTag({ ...HEAD, entries: [{ last_active: '2026-11-22' }] })).not.toBe(tag);
  });

  test.each([[null], ['text'], [[]], [{ total: 1 }], [{ entries: [HEAD] }]])(
    'does not exist without such a time: %j',
    (body) => {
      expect(answerTag(body)).toBeNull();
    },
  );
});
