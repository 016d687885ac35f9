import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { badgeAddress, cleanAddress, isClean, readAddress } from '#server/http/request/address.ts';

const BASE_URL = 'https://bench.example';

describe('readAddress()', () => {
  test.each([
    ['/a?b=c/d', { target: '/a?b=c/d', path: '/a' }],
    ['/', { target: '/', path: '/' }],
    ['https://bench.example/a?b', { target: '/a?b', path: '/a' }],
    ['https://BENCH.example:443/a', { target: '/a', path: '/a' }],
    ['https://bench.example', { target: '/', path: '/' }],
    ['https://bench.example/a//b', { target: '/a//b', path: '/a//b' }],
  ])('reads %s', (url, address) => {
    expect(readAddress(url, BASE_URL)).toEqual(address);
  });

  test.each([
    '*',
    'http://bench.example/a',
    'https://bench.example:444/a',
    'https://evil.example/a',
    'https://bench.example@evil.example/a',
    'https://bench.example.evil.example/a',
    'https://[/a',
    'ftp://bench.example/a',
    'bench.example:443',
    '?a',
    '',
  ])('finds no address of this board in %s', (url) => {
    expect(readAddress(url, BASE_URL)).toBeNull();
  });
});

describe('badgeAddress()', () => {
  const badgeAt = (target: string) =>
    badgeAddress({ target, path: target.replace(/\?.*/, '') }).target;

  test.each([
    '/badge/ada.svg?x',
    '/badge/ADA.svg',
    '/badge/a.b.svg',
    '/badge/%61da.svg',
    '/badge//a.svg',
  ])('leaves %s unchanged', (target) => expect(badgeAt(target)).toBe(target));

  test.each(['/badge', '/badge/ada', '/badge/ada.png', '/operators/a/b.svg'])(
    'leaves %s unchanged, which is not a badge',
    (target) => expect(badgeAt(target)).toBe(target),
  );

  test.each(['a/b', '%20', '', 'ä', 'a<b', 'x%2Fy', '%E2', '../x', '[codename]'])(
    'is the fallback badge for the name %j',
    (name) => expect(badgeAt(`/badge/${name}.svg?theme=dark`)).toBe('/badge/-.svg?theme=dark'),
  );
});

describe('isClean()', () => {
  test.each(['/', '/a', '/a/b', '/a.b/c-d_e~f', '/.well-known/x', '/...', '/_astro/x.y.css'])(
    'is true of %s',
    (path) => expect(isClean(path)).toBe(true),
  );

  test.each([
    '//',
    '/a/',
    '//a',
    '/a//b',
    '/.',
    '/..',
    '/a/../b',
    '/a/.',
    '/a%20b',
    '/a%',
    '/a\\b',
    '/a#b',
    '/é',
    '*',
    '',
  ])('is false of %s', (path) => expect(isClean(path)).toBe(false));
});

test('only one page is a folder', () => {
  const clean = (path: string) => cleanAddress({ target: `${path}?a`, path });

  expect(['/satellite/', '/satellite/main-A.js'].map(isClean)).toEqual([true, true]);
  expect(['/satellite', '/satellite//', '/satellite/main-A.js/', '/login/'].some(isClean)).toBe(
    false,
  );
  expect(['/satellite', '/satellite//', '/%73atellite', '/satellite/x/..'].map(clean)).toEqual(
    Array.from({ length: 4 }, () => '/satellite/?a'),
  );
  expect(clean('/satellite/')).toBeNull();
});

describe('cleanAddress()', () => {
  const clean = (target: string) =>
    cleanAddress(readAddress(target, BASE_URL) ?? { target, path: '' });

  test.each([
    ['/login/', '/login'],
    ['/login//?a=b//c', '/login?a=b//c'],
    ['/leaderboard//30d/yield', '/leaderboard/30d/yield'],
    ['/%6cogin', '/login'],
    ['/a/./b/../login', '/a/login'],
    ['/..', '/'],
  ])('corrects %s to %s', (target, address) => {
    expect(clean(target)).toBe(address);
  });

  test.each([
    '//evil.example',
    '//evil.example/',
    '/\\evil.example/',
    '/login%2f',
    '/a%5cb',
    '/a%zz',
    '/a%',
    '/%2562',
    '/a%3fb',
    '/a%23',
    '/lo%0agin',
    '/caf%C3%A9',
    '*',
  ])('cannot correct %s', (target) => {
    expect(clean(target)).toBeNull();
  });

  test('only returns another clean path of this board', () => {
    const part = fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      'a',
      '%61',
      '%2f',
      '%',
      '\\',
      '?',
      '#',
      '@',
      ':',
    );

    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const target = `/${parts.join('')}`;
        const address = clean(target) ?? '/elsewhere';
        const { host, pathname } = new URL(address, BASE_URL);
        expect([host, isClean(pathname)]).toEqual(['bench.example', true]);
        expect(address).not.toBe(target);
      }),
      { numRuns: 2000 },
    );
  });
});
