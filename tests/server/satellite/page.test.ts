import { expect, test } from 'vitest';
import { pageTool } from '#core/contract/satellite.ts';
import { type SatellitePage, satellitePage } from '#server/satellite/page.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';

const files = { script: 'main-A.js', stylesheet: 'satellite-B.css', fonts: ['text-C.woff2'] };
const here: SatellitePage = {
  site: DEFAULT_SITE,
  files,
  data: { board: '', client: null, tool: pageTool() },
  canonical: 'https://bench.example/satellite/',
  policy: null,
};
const client = { id: 'satellite', issuer: 'i', redirect_uri: 'r', resource: 'a' };
const elsewhere: SatellitePage = {
  ...here,
  data: { ...here.data, board: 'https://bench.example', client },
  canonical: null,
  policy: "default-src 'none'",
};

const addressesIn = (text: string) =>
  [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);

test('the page contains what its program needs', () => {
  const [, data = ''] = /id="data">([^<]*)</.exec(satellitePage(elsewhere)) ?? [];
  expect(JSON.parse(data)).toEqual(elsewhere.data);
});

test('on another host it loads only files next to it, and links to the board', () => {
  const site = { ...DEFAULT_SITE, stylesheet: '/board/style-1.css', icon: '/board/logo-1.png' };
  const logo = { address: '/board/logo-1.png', width: 30, height: 20 };

  const loaded = addressesIn(satellitePage({ ...elsewhere, site: { ...site, logo } }));
  const isBeside = (address: string) => /^\.\/[\w./-]+$/.test(address);

  expect(loaded.filter(isBeside)).toEqual([
    './text-C.woff2',
    './satellite-B.css',
    './board/style-1.css',
    './board/logo-1.png',
    './main-A.js',
    './board/logo-1.png',
  ]);
  const others = loaded.filter((address) => !isBeside(address));
  expect(others.filter((address) => !address.startsWith('https://bench.example/'))).toEqual([]);
});

test("the board's name is escaped", () => {
  const name = `</script><script>alert(1)</script>"'&<b>`;
  const hostile = { ...elsewhere.data, board: `https://x/</script><!--` };

  const text = satellitePage({
    ...elsewhere,
    site: { ...DEFAULT_SITE, name, description: name },
    data: hostile,
  });

  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text).not.toMatch(/<b>|<!--|alert\(1\)<\//);
  const [, data = ''] = /id="data">([^<]*)</.exec(text) ?? [];
  expect(JSON.parse(data)).toEqual(hostile);
});

test('the policy comes before everything that it applies to', () => {
  const text = satellitePage(elsewhere);
  expect(text.indexOf('Content-Security-Policy')).toBeGreaterThan(0);
  expect(text.indexOf('Content-Security-Policy')).toBeLessThan(text.search(/<link|<script/));
  expect(satellitePage(here)).not.toContain('http-equiv');
});
