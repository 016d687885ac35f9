import { ConformanceTester } from 'lighthouse/third-party/ard/ard.js';
import { describe, expect, test } from 'vitest';
import { AiCatalog, ServerCard } from '#core/contract/mcp/manifests.ts';
import { readAiCatalog, readServerCard } from '#server/mcp/manifests.ts';
import { DEFAULT_SITE } from '#server/config/site.ts';
import { testContext } from '#tests/support/board/context.ts';

/** A board with a URL and the admin's description. */
function aBoard(baseUrl: string, description = 'A board under test.') {
  const { config, release } = testContext({ baseUrl });
  return { config: { ...config, site: { ...config.site, description } }, release };
}

const NAMES = [
  ['https://bench.example.org', 'org.example.bench/opbench', 'bench.example.org:mcp:opbench'],
  ['https://example.org:8443', 'org.example/opbench-8443', 'example.org:mcp:opbench-8443'],
  ['http://localhost:4321', 'localhost/opbench-4321', 'localhost:mcp:opbench-4321'],
  ['http://127.0.0.1:4321', '127.0.0.1/opbench-4321', '127.0.0.1:mcp:opbench-4321'],
  ['http://[::1]:4321', '--1/opbench-4321', '--1:mcp:opbench-4321'],
  ['http://my_board', 'my-board/opbench', 'my-board:mcp:opbench'],
] as const;

describe('readServerCard()', () => {
  test.each(NAMES)('names the board at %s', (baseUrl, name) => {
    const card = readServerCard(aBoard(baseUrl));

    expect(ServerCard.parse(card)).toEqual(card);
    expect(card).toMatchObject({ name, remotes: [{ url: `${baseUrl}/api/mcp` }] });
  });

  test('names the board and the version', () => {
    const board = aBoard('https://bench.example.org');
    expect(readServerCard(board)).toMatchObject({ title: 'Test board', version: '1.2.3' });
  });

  test.each([
    ['a short description, unchanged', 'a short description, unchanged'],
    [`${'a'.repeat(49)} ${'b'.repeat(50)}`, `${'a'.repeat(49)} ${'b'.repeat(50)}`],
    [`${'a'.repeat(49)} ${'b'.repeat(51)}`, `${'a'.repeat(49)}…`],
    [`${'a'.repeat(98)}, ${'b'.repeat(50)}`, 'a'.repeat(98)],
    [`${'a'.repeat(60)}. ${'b'.repeat(20)} ${'c'.repeat(50)}`, `${'a'.repeat(60)}.`],
    [`Us: ${'a'.repeat(60)} ${'b'.repeat(50)}`, `Us: ${'a'.repeat(60)}…`],
    [DEFAULT_SITE.description, 'Read operator rankings and metrics; submit signed token counts.'],
    [`${'a'.repeat(99)} b`, `${'a'.repeat(99)}…`],
    ['😀'.repeat(101), `${'😀'.repeat(99)}…`],
    ['of two\n  lines', 'of two lines'],
  ])('describes the board in a line: %j', (words, line) => {
    expect(readServerCard(aBoard('https://bench.example.org', words)).description).toBe(line);
  });
});

describe('readAiCatalog()', () => {
  test.each(NAMES)('passes the public test for %s', (baseUrl, _, identifier) => {
    const catalog = readAiCatalog(aBoard(baseUrl));
    const tester = new ConformanceTester();

    tester.validate_manifest(JSON.stringify(catalog), 'ai-catalog.json');

    expect([...tester.errors, ...tester.warnings]).toEqual([]);
    expect(AiCatalog.parse(catalog)).toEqual(catalog);
    expect(catalog.entries).toMatchObject([
      { identifier: `urn:air:${identifier}`, url: `${baseUrl}/api/mcp/server-card` },
    ]);
  });

  test('fails that test if something is wrong', () => {
    const tester = new ConformanceTester();
    const { specVersion } = readAiCatalog(aBoard('https://bench.example.org'));
    tester.validate_manifest(JSON.stringify({ specVersion, entries: [{}] }), 'ai-catalog.json');
    expect(tester.errors.length).toBeGreaterThan(0);
  });
});
