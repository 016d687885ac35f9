import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepProxy, keptProxyFile, withKeptProxy } from '#agent/kept/kept-proxy.ts';
import { installServer } from '#agent/mcp/install.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const VARIABLES = {
  HTTPS_PROXY: 'http://ada:secret@proxy.example.org:3128',
  NO_PROXY: 'intern.example.org',
};

describe('the proxy variables of a shell', () => {
  test('are kept for those who start the command without them, readable by their owner only', () => {
    const bare = { HOME: aFolder() };
    const file = keptProxyFile(bare);

    expect(keepProxy({ ...bare, ...VARIABLES }, 'timer')).toEqual(['HTTPS_PROXY', 'NO_PROXY']);

    expect(withKeptProxy(bare, 'timer')).toEqual({ ...bare, ...VARIABLES });
    expect(withKeptProxy(bare, 'mcp')).toEqual(bare);
    const own = { ...bare, no_proxy: '*' };
    expect(withKeptProxy(own, 'timer')).toEqual(own);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keepProxy(bare, 'timer')).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('that would end a line are refused', () => {
    const environment = { HOME: aFolder(), ALL_PROXY: 'http://a\nb' };
    expect(() => keepProxy(environment, 'mcp')).toThrow('control character in ALL_PROXY');
  });

  test('are kept by mcp install until --undo, and stand neither in the entry nor on the screen', async () => {
    const home = aFolder({ '.claude.json': '{}' });
    const file = join(
      aFolder({ 'opbench.mjs': '#!/usr/bin/env node\n// opbench 9.9.9\n' }),
      'opbench.mjs',
    );
    const place = { environment: { HOME: home, ...VARIABLES }, nowMs: Date.now, file };
    const output = anOutput();
    const given = { name: 'claude-code', yes: true, json: false };

    await installServer(place, { ...given, undo: false }, output);

    expect(withKeptProxy({ HOME: home }, 'mcp')).toMatchObject(VARIABLES);
    const shown = [...output.results, ...output.notes, readFileSync(join(home, '.claude.json'))];
    expect(shown.join('\n')).toContain('Saved HTTPS_PROXY, NO_PROXY for the MCP server');
    expect(shown.join('\n')).not.toContain('secret');

    await installServer(place, { ...given, undo: true }, output);
    expect(existsSync(keptProxyFile(place.environment))).toBe(false);
  });

  test('are kept by mcp config, which does not print them', async () => {
    const device = aDeviceOf(testContext());
    const environment = { ...device.environment, ...VARIABLES };
    const output = anOutput();

    await runCommand({ ...device, environment }, 'mcp', ['config'], output);

    expect(withKeptProxy(device.environment, 'mcp')).toMatchObject(VARIABLES);
    expect([...output.results, ...output.notes].join('\n')).not.toContain('secret');
  });
});
