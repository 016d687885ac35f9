import { describe, expect, test } from 'vitest';
import { preparedAddress, preparedAddresses, isMemorable } from '#server/publication/addresses.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { publish, testContext } from '#tests/support/board/context.ts';

describe('preparedAddresses()', () => {
  test('contain every board as a page and as JSON, each once', () => {
    const addresses = preparedAddresses(publish(testContext()));

    expect(addresses).toContain('/leaderboard/all_time/dev10x');
    expect(addresses).toEqual(expect.arrayContaining(['/', '/methodology', '/science']));
    expect(addresses).toEqual(expect.arrayContaining(['/metrics', '/metrics/snr', '/privacy']));
    expect(addresses).toContain('/api/v1/leaderboard');
    expect(addresses).toContain('/api/v1/leaderboard?window=7d&metric=snr');
    expect(addresses.filter((address) => address.includes('tool='))).toEqual([]);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test("contain the boards of the front page's tool", () => {
    const ctx = aBoard(10);
    const addOthers = (prefix: string, total: number) => {
      for (let at = 0; at < total; at += 1) {
        anActive(ctx, `${prefix}-${at}`, tenDays({ tool: 'odd & tool?' }));
      }
    };
    addOthers('few', 9);
    const ofMost = preparedAddresses(publish(ctx));
    addOthers('more', 2);
    const ofOther = preparedAddresses(publish(ctx));

    expect(ofMost).toContain('/leaderboard/7d/snr?tool=claude-code');
    expect(ofOther).toContain('/leaderboard/7d/snr?tool=odd+%26+tool%3F');
    expect(ofOther.filter((address) => address.includes('claude-code'))).toEqual([]);
    expect(ofOther.every((address) => preparedAddress(address) === address)).toBe(true);
    expect(new Set(ofOther).size).toBe(ofOther.length);
  });
});

test('anything prepared in advance is otherwise prepared on first request', () => {
  const ctx = aBoard(3);
  const addresses = preparedAddresses(publish(ctx));

  expect(addresses.filter((address) => !isMemorable(preparedAddress(address)))).toEqual([]);
});

describe('preparedAddress()', () => {
  test.each([
    ['/?utm_source=x', '/'],
    ['/developers?x', '/developers'],
    ['/developers/protocol?x', '/developers/protocol'],
    ['/developers/vectors.json?x', '/developers/vectors.json'],
    ['/science?x', '/science'],
    ['/llms.txt?x', '/llms.txt'],
    ['/index.md?x', '/index.md'],
    ['/science.md?x', '/science.md'],
    ['/leaderboard/7d/yield.md?x=1&tool=codex', '/leaderboard/7d/yield.md?tool=codex'],
    ['/operators/ada.md?x=1&window=7d', '/operators/ada.md?window=7d'],
    ['/feed.atom?x', '/feed.atom'],
    ['/sitemap.xml?x', '/sitemap.xml'],
    ['/sitemap-2.xml?x', '/sitemap-2.xml'],
    ['/methodology?x', '/methodology'],
    ['/leaderboard/7d/yield', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?x=1', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?x=1&after=1.50.2&y', '/leaderboard/7d/yield?after=1.50.2'],
    ['/leaderboard/7d/yield?q=&class=&trust=signed&cohort=', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?q=&trust=all&tool=codex', '/leaderboard/7d/yield?tool=codex&trust=all'],
    ['/leaderboard/7d/yield?tool=a&tool=b', '/leaderboard/7d/yield?tool=a'],
    ['/leaderboard/7d/yield?tool=a%20b', '/leaderboard/7d/yield?tool=a+b'],
    ['/leaderboard/7d/yield?tool=a?b', '/leaderboard/7d/yield?tool=a%3Fb'],
    ['/leaderboard/7d/yield?cohort=x&class=falls', '/leaderboard/7d/yield?class=falls&cohort=x'],
    ['/leaderboard/7d/yield?Q=x&q=Ada', '/leaderboard/7d/yield?q=Ada'],
    ['/leaderboard/7d/yield?q=%20%C2%A0', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?q=%20Ada+', '/leaderboard/7d/yield?q=Ada'],
    ['/leaderboard/7d/yield?tool=%20x', '/leaderboard/7d/yield?tool=+x'],
    ['/metrics?x', '/metrics'],
    ['/metrics/yield?window=7d', '/metrics/yield'],
    ['/privacy?x', '/privacy'],
    ['/problems/gone?x', '/problems/gone'],
    ['/hall-of-signal?metric=snr', '/hall-of-signal'],
    ['/hall-of-signal/snr?x', '/hall-of-signal/snr'],
    ['/classes?x', '/classes'],
    ['/tv?x', '/tv'],
    ['/compare?x=1', '/compare'],
    ['/compare?window=7d&with=Bob&with=ada&x', '/compare?with=ada,bob&window=7d'],
    ['/compare.md?with=bob,ada', '/compare.md?with=ada,bob'],
    ['/challenges?status=active', '/challenges'],
    ['/challenges/march?x=1', '/challenges/march'],
    ['/challenges/march?x=1&after=0.50&after=2', '/challenges/march?after=0.50'],
    ['/operators/ada?x=1', '/operators/ada'],
    ['/operators/ada?metric=snr&window=7d&window=90d&x', '/operators/ada?window=7d&metric=snr'],
    ['/operators/ada?calendar=yield&x=1', '/operators/ada?calendar=yield'],
    ['/operators/ada?calendar=tokens', '/operators/ada'],
    ['/operators/ada?with=Bob&tool=a%20b', '/operators/ada?tool=a+b&with=bob'],
    ['/operators/ada/feed.atom?x=1', '/operators/ada/feed.atom'],
    ['/operators/ada/2026?x=1', '/operators/ada/2026'],
    ['/operators/ada/2026-03.md?x', '/operators/ada/2026-03.md'],
    ['/api/v1/leaderboard?x=1', '/api/v1/leaderboard?x=1'],
    ['/openapi.json?x=1', '/openapi.json?x=1'],
    ['/login/link?token=x', '/login/link?token=x'],
    ['/where-am-i?window=7d', '/where-am-i?window=7d'],
  ])('of %s is %s', (target, address) => {
    expect(preparedAddress(target)).toBe(address);
  });
});

describe('isMemorable()', () => {
  test.each([
    '/leaderboard/30d/yield?after=7.50.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?tool=x&after=12.1050.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?tool=codex&trust=all&class=falls&cohort=x',
    '/leaderboard/30d/yield?tool=faq%3D',
    '/api/v1/leaderboard?tool=codex&q=ada',
    '/api/v1/metrics/leaders',
    '/api/v1/metrics/leaders?window=7d',
    '/api/v1/operators/ada',
    '/api/v1/operators/ada?as_of=2026-03-01',
    '/api/v1/operators/ada/peers?limit=20',
    '/operators/ada?window=7d&metric=snr',
    '/compare',
    '/operators/ada/2026',
    '/operators/ada/feed.atom',
    '/challenges',
    '/challenges/march',
    '/challenges/march?after=0.50',
    '/challenges/march?after=7.100',
    '/hall-of-signal',
    '/hall-of-signal/snr',
    '/problems',
    '/problems/gone',
    '/feed.atom',
    '/llms.txt',
    '/sitemap.xml',
    '/sitemap-12.xml',
    '/index.md',
    '/developers.md',
    '/operators/ada.md?window=7d',
    '/leaderboard/30d/yield.md?tool=codex',
    '/challenges/march.md?after=0.50',
  ])('is true for %s, which is read from a publication', (address) => {
    expect(isMemorable(address)).toBe(true);
  });

  test.each([
    '/settings',
    '/where-am-i',
    '/where-am-i/row?window=7d',
    '/leaderboard/30d/yield?q=ada',
    '/leaderboard/30d/yield?tool=codex&q=ada',
    '/api/v1/me',
    '/api/v1/peers',
    '/api/v1/leaderboards',
    '/api/v1/operators/ada/history',
    '/api/v1/operators/ada/records?limit=1',
    '/api/v1/operators/ada/keys',
    '/operators/ada?with=bob',
    '/compare?with=ada,bob',
    '/submissions',
    '/leaderboard/30d/yield?after=x',
    '/leaderboard/30d/yield?after=7.51.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?after=07.50.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?after=7.050.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?after=7.0.999999999.0123456789abcdef',
    '/leaderboard/30d/yield?after=7.50.1.0123456789abcdef',
    '/challenges/march?after=00.50',
    '/challenges/march?after=0.051',
    '/challenges/march?after=0.050',
    '/challenges/march?after=0.51',
    '/challenges/march?after=0.0',
    '/sitemap-0.xml',
    '/sitemap-x.xml',
    '/leaderboard/30d/yield.md?q=ada',
    '/operators/ada.md?with=bob',
    '/submissions.md',
    '/settings.md',
    '/x/api/v1/leaderboard',
  ])('is false for %s', (address) => {
    expect(isMemorable(address)).toBe(false);
  });
});
