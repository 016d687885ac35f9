import { describe, expect, test } from 'vitest';
import type { Embeddable } from '#core/domain/board/embeddable.ts';
import { oembedOf } from '#components/text/oembed.ts';

const SITE = { name: 'Bench & "friends"', baseUrl: 'https://b.example', isFramed: true };
const ANY = { width: Infinity, height: Infinity };
const BOARD: Embeddable = {
  kind: 'board',
  window: '7d',
  metric: 'snr',
  tool: 'odd & tool',
  isWhole: true,
};
const SHARED = {
  version: '1.0',
  provider_name: SITE.name,
  provider_url: SITE.baseUrl,
  cache_age: 300,
};
const PICTURE = { thumbnail_width: 1200, thumbnail_height: 630 };

describe('oembedOf()', () => {
  test('frames a board that has a small one, in the room that there is', () => {
    expect(oembedOf(BOARD, SITE, ANY)).toEqual({
      ...SHARED,
      type: 'rich',
      title: 'SNR leaderboard, last 7 days, odd & tool',
      width: 480,
      height: 380,
      html: '<iframe src="https://b.example/embed/board?window=7d&amp;metric=snr&amp;tool=odd+%26+tool" width="480" height="380" title="SNR leaderboard, last 7 days, odd &amp; tool" loading="lazy" frameborder="0"></iframe>',
    });
    expect(oembedOf(BOARD, SITE, { width: 300, height: 200 })).toMatchObject({
      width: 300,
      height: 200,
      html: expect.stringContaining('width="300" height="200"') as string,
    });
  });

  test('is a link with a picture if no other site may frame the board, or a filter would be lost', () => {
    const link = {
      ...SHARED,
      type: 'link',
      title: 'SNR leaderboard, last 7 days, odd & tool',
      thumbnail_url: 'https://b.example/open-graph.png',
      ...PICTURE,
    };
    expect(oembedOf(BOARD, { ...SITE, isFramed: false }, ANY)).toEqual(link);
    expect(oembedOf({ ...BOARD, isWhole: false }, SITE, ANY)).toEqual(link);
  });

  test('is a link for operators and challenges, without a picture that is too large', () => {
    const operator: Embeddable = { kind: 'operator', codename: 'ada' };
    const card = { thumbnail_url: 'https://b.example/cards/ada.png', ...PICTURE };
    const link = { ...SHARED, type: 'link', title: 'ada on Bench & "friends"' };

    expect(oembedOf(operator, SITE, ANY)).toEqual({ ...link, ...card });
    expect(oembedOf(operator, SITE, { width: 1199, height: 900 })).toEqual(link);
    expect(oembedOf({ kind: 'challenge', id: 'a', title: 'March' }, SITE, ANY)).toMatchObject({
      type: 'link',
      title: 'March, a challenge on Bench & "friends"',
      thumbnail_url: 'https://b.example/cards/challenges/a.png',
    });
  });
});
