import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import { RULESET_NUMBERS } from '#core/domain/board/ruleset.ts';
import { NO_FOLDER, readBoardFolder } from '#server/config/board-folder.ts';
import { readConfig } from '#server/config/config.ts';
import { aBoardFolder, anSvg } from '#tests/support/board/board-folder.ts';
import { pictureOf } from '#tests/support/pages/pictures.ts';

const read = (files: Readonly<Record<string, string | Uint8Array>>) =>
  readBoardFolder(aBoardFolder(files));
/** The faults of a `board.toml`, without the folder's path. */
const faultsOf = (toml: string) =>
  read({ 'board.toml': toml }).faults.map((fault) => fault.replace(/^\S*board\.toml: /, ''));
const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);

describe('readBoardFolder()', () => {
  test('changes nothing if the file is empty', () => {
    expect(read({ 'board.toml': '' })).toEqual({ board: NO_FOLDER, faults: [] });
  });

  test('reads name, description, links and cohorts', () => {
    const { board, faults } = read({
      'board.toml': `name = " Harbour lab "
description = "Ours."
embed = ["https://blog.example", "*"]
links = [{ label = "Imprint", href = "https://a.example/i" }, { label = "Mail", href = "mailto:a@b.example" }]
[[cohorts]]
id = "pilots"
name = "Pilots"`,
    });

    expect(faults).toEqual([]);
    expect(board).toMatchObject({
      name: 'Harbour lab',
      cohorts: [{ id: 'pilots', name: 'Pilots' }],
      site: {
        description: 'Ours.',
        embed: ['https://blog.example', '*'],
        links: [
          { label: 'Imprint', href: 'https://a.example/i' },
          { label: 'Mail', href: 'mailto:a@b.example' },
        ],
        stylesheet: null,
      },
      files: [],
      eligibility: RULESET_NUMBERS,
    });
  });

  test('makes one style sheet from the colors of both schemes and board.css', () => {
    const style = 'h1 { font-style: italic }';
    const { board, faults } = read({
      'board.toml': '[colours.light]\naccent = "#0B5C8A"\n[colours.dark]\nsurface = "#000000"',
      'board.css': style,
    });

    expect(faults).toEqual([]);
    const [file] = board.files;
    expect(file && textOf(file))
      .toBe(`@media (forced-colors: none) and (not (prefers-contrast: more)) {
  :root {
    --surface: light-dark(#fcfaf6, #000000);
    --surface-sunk: light-dark(#f3f0ea, #090909);
    --ink-soft: light-dark(#575b64, #aba9a5);
    --line: light-dark(#d7d4cd, #252524);
    --line-strong: light-dark(#83868e, #817f7c);
    --accent: light-dark(#0b5c8a, #f87b5c);
  }
}
${style}`);
    expect(file?.address).toMatch(/^\/board\/style-[0-9a-f]{16}\.css$/);
    expect(board.site.stylesheet).toBe(file?.address);
    expect(board.site.colours.light).toEqual({ ...DEFAULT_COLOURS.light, accent: '#0b5c8a' });
  });

  test('makes no style sheet from comments alone', () => {
    const { board } = read({ 'board.toml': '', 'board.css': '/* a { } */\n\n/* b */' });

    expect([board.site.stylesheet, board.files]).toEqual([null, []]);
  });

  test('changes the address with the content', () => {
    const addressOf = (style: string) =>
      read({ 'board.toml': '', 'board.css': style }).board.site.stylesheet;

    expect(addressOf('h1 {}')).toBe(addressOf('h1 {}'));
    expect(addressOf('h1 {}')).not.toBe(addressOf('h2 {}'));
  });

  test('shows a logo 28 pixels high, and as a tab icon only if it is roughly square', async () => {
    const square = read({ 'board.toml': 'logo = "a.svg"', 'a.svg': anSvg(32, 30) }).board;
    const wide = read({
      'board.toml': 'logo = "b.webp"',
      'b.webp': await pictureOf('webp'),
    }).board;

    expect(square.site.logo).toMatchObject({ width: 30, height: 28 });
    expect(square.site.logo?.address).toMatch(/^\/board\/logo-[0-9a-f]{16}\.svg$/);
    expect(square.site.icon).toBe(square.site.logo?.address);
    expect(square.files).toMatchObject([{ mediaType: 'image/svg+xml' }]);
    expect(wide.site.logo).toMatchObject({ width: 42, height: 28 });
    expect(wide.site.icon).toBe('/icon.svg');
    expect(wide.files).toMatchObject([{ mediaType: 'image/webp' }]);
  });

  test('changes numbers of the ranking rules, and keeps defaults for the rest', () => {
    const { eligibility } = read({
      'board.toml': '[eligibility]\noutput_tokens = 5_000\n[eligibility.active_days]\n7d = 2',
    }).board;

    expect(eligibility).toEqual({
      ...RULESET_NUMBERS,
      output_tokens: 5000,
      active_days: { ...RULESET_NUMBERS.active_days, '7d': 2 },
    });
  });

  test.each([0, 0.9, 1])('requires a share of %s stated days', (share) => {
    const { eligibility } = read({ 'board.toml': `[eligibility]\nstated_days = ${share}` }).board;
    expect(eligibility.stated_days).toBe(share);
  });
});

describe('readBoardFolder() rejects', () => {
  test.each([
    ['name = ""', 'name: must not be empty'],
    [`name = "${'x'.repeat(61)}"`, 'name: must have at most 60 characters'],
    ['name = 3', 'name: must be text'],
    ['nome = "x"', /^unknown key nome\. Valid keys: name, description, logo, /],
    ['[colours.light]\nblue = "#000000"', /^colours\.light: unknown key blue\. Valid keys: sur/],
    ['[colours.light]\nsurface = "white"', /^colours\.light\.surface: must be # and 6 hex digits/],
    ['[colours.lite]', 'colours: unknown key lite. Valid keys: light, dark'],
    ['logo = "../logo.svg"', /^logo: must be the name of an \.svg/],
    ['logo = "/etc/passwd.svg"', /^logo: must be the name of an \.svg/],
    ['logo = "logo.gif"', /^logo: must be the name of an \.svg/],
    ['links = "x"', 'links: must be written as [[links]]'],
    ['[[links]]\nlabel = "a"\nhref = "javascript:alert(1)"', /^links\.0\.href: must begin with/],
    ['[[links]]\nlabel = "a"\nhref = "http://a.example"', /^links\.0\.href: must begin with/],
    ['[[links]]\nhref = "https://a.example"', 'links.0.label: is missing'],
    [
      '[[links]]\nlabel="a"\nhref="https://a.example"\n'.repeat(9),
      'links: must have at most 8 entries',
    ],
    ['[[cohorts]]\nid="a"\nname="A"\n'.repeat(2), 'cohorts: must not use an id more than once'],
    ['[[cohorts]]\nid="Up"\nname="A"', /^cohorts\.0\.id: must be 1 to 30 characters/],
    ['embed = "https://a.example"', 'embed: must be a list, such as ["https://blog.example.org"]'],
    ['embed = ["https://a.example/blog"]', /^embed\.0: must be an address without a path, such as/],
    ['embed = ["https://a.example;x"]', /^embed\.0: must be an address without a path/],
    ['embed = ["\'self\'"]', /^embed\.0: must be an address without a path/],
    [`embed = [${'"*",'.repeat(21)}]`, 'embed: must have at most 20 entries'],
    ['eligibility = 3', 'eligibility: must be a table'],
    ['[eligibility]\ncoverage = 0.49', 'eligibility.coverage: must be a number from 0.5 to 1'],
    ['[eligibility]\ncoverage = nan', 'eligibility.coverage: must be a number from 0.5 to 1'],
    ['[eligibility]\nstated_days = 90', 'eligibility.stated_days: must be a number from 0 to 1'],
    ['[eligibility]\nstated_days = -0.1', 'eligibility.stated_days: must be a number from 0 to 1'],
    ['[eligibility]\nstated_days = "all"', 'eligibility.stated_days: must be a number from 0 to 1'],
    ['[history]\nvalues_days = 13', 'history.values_days: must be a whole number from 14 to 36500'],
    ['[history]\nvalues_days = 36501', /^history\.values_days: must be a whole number/],
    ['[history]\ndays = 14', /^history: unknown key days/],
    ['[eligibility]\noutput_tokens = 0', /^eligibility\.output_tokens: must be a whole number/],
    ['[eligibility]\nactive_day_tokens = 1.5', /^eligibility\.active_day_tokens: must be a whole/],
    ['[eligibility.active_days]\n7d = 1', /^eligibility\.active_days\.7d: .* from 2 to 7$/],
    ['[eligibility.active_days]\n7d = 8', /^eligibility\.active_days\.7d: .* from 2 to 7$/],
    ['[eligibility.active_days]\n8d = 3', /^eligibility\.active_days: unknown key 8d/],
    ['[eligibility.effective_days]\n30d = 30', /^eligibility\.effective_days\.30d: .* 1 to 29$/],
    [
      '[eligibility]\ntotal_tokens = 40_000',
      /^eligibility\.output_tokens: .*50000.*total_tokens.*40000$/,
    ],
    ['name = \n', /^is not valid TOML: [^]*1: {2}name =/],
    ['name = "a"\nname = "b"', /^is not valid TOML: /],
    ['__proto__ = 1', /^unknown key __proto__/],
  ])('%j', (toml, fault) => {
    const found = faultsOf(toml);

    expect(found).toEqual([
      typeof fault === 'string' ? fault : (expect.stringMatching(fault) as string),
    ]);
  });

  test('all faults together, each with its key', () => {
    expect(faultsOf('nome = 1\nlogo = 2\n[eligibility]\ncoverage = 2\n')).toEqual([
      expect.stringMatching(/^logo: must be a file name/),
      'eligibility.coverage: must be a number from 0.5 to 1',
      expect.stringMatching(/^unknown key nome/),
    ]);
  });

  test.each([
    [
      'accent = "#ffcc00"',
      'colours.light.accent: #ffcc00 has a contrast of 1.32 on surface_sunk #f3f0ea. It must be at least 4.5',
    ],
    [
      'ink = "#595959"\nink_soft = "#595959"\nline_strong = "#777777"',
      'colours.light.ink: #595959 has a contrast of 6.36 on surface_sunk #f5f4f0. It must be at least 7',
    ],
    [
      'surface_sunk = "#a0a0a0"\nink = "#000000"\nink_soft = "#000000"\naccent = "#000000"\nwarn = "#000000"',
      'colours.light.line_strong: #71716f, mixed from surface and ink, has a contrast of 1.87 on surface_sunk #a0a0a0. It must be at least 3',
    ],
    [
      'surface_sunk = "#d9d9d9"\nink_soft = "#000000"\nline_strong = "#000000"\nwarn = "#000000"',
      'colours.light.accent: #c52d1f, the default, has a contrast of 3.94 on surface_sunk #d9d9d9. It must be at least 4.5',
    ],
  ])('colors with too little contrast: %j', (toml, fault) => {
    expect(faultsOf(`[colours.light]\n${toml}`)).toEqual([fault]);
  });

  test('a missing folder, a file, and a folder without board.toml', () => {
    const folder = aBoardFolder({ file: '' });

    expect(readBoardFolder(join(folder, 'x')).faults).toEqual([
      `${folder}/x: does not exist. BOARD_DIR must be a folder`,
    ]);
    expect(readBoardFolder(join(folder, 'file')).faults).toEqual([
      `${folder}/file: is a file. BOARD_DIR must be a folder`,
    ]);
    expect(readBoardFolder(folder).faults).toEqual([
      `${folder}/board.toml: does not exist. Create it: opbench-board init DIR`,
    ]);
  });

  test('files that are too large, of another kind or not text', () => {
    const folder = aBoardFolder({
      'board.toml': 'logo = "logo.svg"',
      'board.css': 'x'.repeat(64 * 1024 + 1),
      'logo.svg': anSvg(1, 1) + ' '.repeat(100 * 1024),
    });
    const faults = () => readBoardFolder(folder).faults.map((fault) => fault.slice(folder.length));

    expect(faults()).toEqual([
      '/board.css: has 65537 bytes. It must have at most 65536',
      expect.stringMatching(/^\/logo\.svg: has \d+ bytes\. .*102400$/),
    ]);
    writeFileSync(join(folder, 'board.css'), Buffer.from([0x68, 0xff]));
    writeFileSync(join(folder, 'logo.svg'), 'GIF89a');
    expect(faults()).toEqual([
      '/board.css: is not UTF-8 text',
      expect.stringMatching(/^\/logo\.svg: is not a valid svg picture/),
    ]);
    writeFileSync(join(folder, 'board.css'), '');
    writeFileSync(join(folder, 'logo.svg'), anSvg(61, 10));
    expect(faults()).toEqual([expect.stringMatching(/^\/logo\.svg: is more than 6 times as wide/)]);
  });

  test('a logo that is missing or a folder', () => {
    const folder = aBoardFolder({ 'board.toml': 'logo = "logo.svg"' });
    const faults = () => readBoardFolder(folder).faults.map((fault) => fault.slice(folder.length));

    expect(faults()).toEqual(['/logo.svg: does not exist, but logo in board.toml names it']);
    mkdirSync(join(folder, 'logo.svg'));
    expect(faults()).toEqual(['/logo.svg: is not a file']);
  });

  test('links out of the folder, but not links within it', () => {
    const elsewhere = aBoardFolder({ 'a.svg': anSvg(1, 1), 'a.css': 'h1 {}' });
    const folder = aBoardFolder({ 'board.toml': 'logo = "logo.svg"', 'real.svg': anSvg(1, 1) });
    symlinkSync(join(elsewhere, 'a.css'), join(folder, 'board.css'));
    symlinkSync('real.svg', join(folder, 'logo.svg'));

    const { board, faults } = readBoardFolder(folder);

    expect(faults).toEqual([
      `${folder}/board.css: is a link out of the folder. Copy the file into the folder`,
    ]);
    expect(board.site.logo).not.toBeNull();
  });
});

describe('readConfig(): BOARD_DIR', () => {
  const folder = () =>
    aBoardFolder({
      'board.toml':
        'name = "Lab"\n[[cohorts]]\nid = "a"\nname = "A"\n[eligibility]\ncoverage = 0.5',
    });

  test('configures the board', () => {
    const config = readConfig({ BOARD_DIR: folder(), BOARD_NAME: 'Lab' });

    expect(config.site.name).toBe('Lab');
    expect(config.signIn.cohorts).toEqual([{ id: 'a', name: 'A' }]);
    expect(config.eligibility.coverage).toBe(0.5);
  });

  test('is optional, and BOARD_NAME works without it', () => {
    const config = readConfig({ BOARD_NAME: 'Mine', COHORTS: 'b=B', BOARD_DIR: '' });

    expect(config.site).toEqual({ ...NO_FOLDER.site, name: 'Mine' });
    expect(readConfig({}).site.name).toBe('Opbench');
    expect(config.signIn.cohorts).toEqual([{ id: 'b', name: 'B' }]);
    expect(config.eligibility).toEqual(RULESET_NUMBERS);
  });

  test('rejects settings that differ from the environment', () => {
    expect(() => readConfig({ BOARD_DIR: folder(), BOARD_NAME: 'Mine', COHORTS: 'b=B' })).toThrow(
      /:\n {2}BOARD_NAME: .*"Mine".*board\.toml.*"Lab".*\n {2}COHORTS: .*board\.toml.*$/,
    );
  });

  test('reports the faults of the environment and the folder together', () => {
    const path = aBoardFolder({ 'board.toml': 'nome = 1\nname = 2' });

    const refusal = () => readConfig({ BOARD_DIR: path, PORT: 'http', REFRESH_SECONDS: '0' });

    expect(refusal).toThrow(
      / {2}PORT: .*\n {2}REFRESH_SECONDS: .*\n {2}\S*board\.toml: name: must/,
    );
    expect(refusal).toThrow(/board\.toml: unknown key nome/);
  });
});
