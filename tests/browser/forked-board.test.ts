/** What a browser makes of an admin's colours and style. */
import { expect, test } from 'vitest';
import { aBoardFolder, anSvg } from '../support/board/board-folder.ts';
import { aPage } from '../support/pages/browser.ts';
import { aStaticSite } from '../support/pages/static-site.ts';
import { startServer } from '../support/http/server.ts';

const TOML = `logo = "logo.svg"
[colours.light]
accent = "#0b5c8a"
[colours.dark]
surface = "#001020"
`;

/** Rules no heavier than ours that they replace: in a layer, in a component, of an element. */
const STYLE = `
.page { max-width: 800px }
footer { border-top-width: 7px }
nav a { letter-spacing: 3px }
h1 { font-style: italic }
`;

const looks = () => {
  const of = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--accent)';
  return {
    accent: getComputedStyle(probe).color,
    surface: of(':root').backgroundColor,
    page: of('main').maxWidth,
    footer: of('footer').borderTopWidth,
    link: of('header nav a').letterSpacing,
    title: of('h1').fontStyle,
    logo: (document.querySelector('header img') as HTMLImageElement).naturalWidth > 0,
  };
};

test("a keeper's colours and style take the place of ours in both schemes", async () => {
  const files = { 'board.toml': TOML, 'board.css': STYLE, 'logo.svg': anSvg(64, 32) };
  const { url } = await startServer({ env: { BOARD_DIR: aBoardFolder(files) } });
  const seen = { page: '800px', footer: '7px', link: '3px', title: 'italic', logo: true };

  for (const dark of [false, true]) {
    const { page, misdeeds } = await aPage(url, { dark });
    await page.goto(url);
    const look = await page.evaluate(looks);

    expect(look).toMatchObject(seen);
    expect(look.accent === 'rgb(11, 92, 138)').toBe(!dark);
    expect(look.surface === 'rgb(0, 16, 32)').toBe(dark);
    expect(misdeeds).toEqual({ console: [], foreign: [] });
  }
});

test("a keeper's style can fetch nothing from elsewhere", async () => {
  const folder = aBoardFolder({ 'icon.svg': anSvg(64, 32) });
  const elsewhere = await aStaticSite(folder, '/');
  const style = `@import url("${elsewhere}icon.svg?import");
@font-face { font-family: X; src: url("${elsewhere}icon.svg?font") }
h1 { font-family: X; background: url("${elsewhere}icon.svg?picture") }`;
  const files = { 'board.toml': '', 'board.css': style };
  const { url } = await startServer({ env: { BOARD_DIR: aBoardFolder(files) } });
  const { page, misdeeds } = await aPage(url);
  const arrived: string[] = [];
  page.on('response', (response) => arrived.push(response.url()));

  await page.goto(url, { waitUntil: 'networkidle' });

  expect(arrived.some((address) => address.includes('/board/style-'))).toBe(true);
  expect(arrived.filter((address) => address.startsWith(elsewhere))).toEqual([]);
  expect(misdeeds.console.join('\n')).toMatch(/violates the following Content Security Policy/);
});
