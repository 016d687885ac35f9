import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOCAL_SERVER, installLinks, mcpCommands } from '#components/text/commands.ts';
import { ROOT } from '#tests/support/board/context.ts';

const URLS = [
  'https://bench.example.org/api/mcp',
  'http://[::1]:4321/api/mcp',
  // A name with other letters is encoded in a URL, so its address is plain ASCII too.
  new URL('/api/mcp', 'https://bänch.example').href,
];

/** The server that an editor reads from a link. */
function readVsCode(link: string): unknown {
  return JSON.parse(decodeURIComponent(link.replace('vscode:mcp/install?', '')));
}

function readCursor(link: string) {
  const { protocol, host, pathname, searchParams } = new URL(link);
  const config = Buffer.from(searchParams.get('config') ?? '', 'base64').toString();
  return { protocol, host, pathname, name: searchParams.get('name'), config: JSON.parse(config) };
}

describe('installLinks()', () => {
  test.each(URLS)('lead to the server at %s in both editors', (url) => {
    const { vsCode, cursor } = mcpCommands(url).links;

    expect(readVsCode(vsCode)).toEqual({ name: 'opbench-board', type: 'http', url });
    expect(readCursor(cursor)).toEqual({
      protocol: 'cursor:',
      host: 'anysphere.cursor-deeplink',
      pathname: '/mcp/install',
      name: 'opbench-board',
      config: { type: 'http', url },
    });
  });

  test('escape every character with a meaning in a URL', () => {
    const server = { args: ['a&b=c#d?e f+g"h', '~~~???>>>'] };
    const { vsCode, cursor } = installLinks('x y&z', server);

    expect(`${vsCode}${cursor}`).not.toMatch(/["\s#<>]/);
    expect(readVsCode(vsCode)).toEqual({ name: 'x y&z', ...server });
    expect(readCursor(cursor)).toMatchObject({ name: 'x y&z', config: server });
  });

  test('of the local server are in the documentation', () => {
    const page = readFileSync(`${ROOT}src/content/docs/join/agents.md`, 'utf8');
    const { vsCode, cursor } = installLinks('opbench', LOCAL_SERVER);

    expect(readVsCode(vsCode)).toEqual({
      name: 'opbench',
      command: 'node',
      args: ['${userHome}/.config/opbench/opbench.mjs', 'mcp'],
    });
    expect(page).toContain(`(${vsCode})`);
    expect(page).toContain(`(${cursor})`);
  });
});
