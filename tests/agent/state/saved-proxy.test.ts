import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { saveProxy, savedProxyFile, withSavedProxy } from '#agent/state/saved-proxy.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const VARIABLES = {
  HTTPS_PROXY: 'http://ada:secret@proxy.example.org:3128',
  NO_PROXY: 'intern.example.org',
};

describe('the proxy variables of a shell', () => {
  test('are saved for timers and MCP clients, readable by their owner only', () => {
    const bare = { HOME: aFolder() };
    const file = savedProxyFile(bare);

    expect(saveProxy({ ...bare, ...VARIABLES }, 'timer')).toEqual(['HTTPS_PROXY', 'NO_PROXY']);

    expect(withSavedProxy(bare, 'timer')).toEqual({ ...bare, ...VARIABLES });
    expect(withSavedProxy(bare, 'mcp')).toEqual(bare);
    const own = { ...bare, no_proxy: '*' };
    expect(withSavedProxy(own, 'timer')).toEqual(own);
    expectMode(file, 0o600);
    expect(saveProxy(bare, 'timer')).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('with a line break are rejected', () => {
    const environment = { HOME: aFolder(), ALL_PROXY: 'http://a\nb' };
    expect(() => saveProxy(environment, 'mcp')).toThrow('ALL_PROXY contains a control character');
  });

  test('are saved by mcp install until --undo, and are neither in the entry nor printed', async () => {
    const home = aFolder({ '.claude.json': '{}' });
    const file = join(
      aFolder({ 'opbench.mjs': '#!/usr/bin/env node\n// opbench 9.9.9\n' }),
      'opbench.mjs',
    );
    const environment = { HOME: home, ...VARIABLES };
    const device = { ...aDeviceOf(testContext()), environment, file };
    const output = anOutput();
    const run = (...words: string[]) => {
      return runCommand(device, 'mcp', ['install', 'claude-code', ...words], output);
    };

    await run();

    expect(withSavedProxy({ HOME: home }, 'mcp')).toMatchObject(VARIABLES);
    const shown = [...output.results, ...output.notes];
    expect(shown.join('\n')).toContain('Saved HTTPS_PROXY, NO_PROXY for the MCP server');
    expect(shown.join('\n')).not.toContain('secret');

    await run('--undo');
    expect(existsSync(savedProxyFile(environment))).toBe(false);
  });

  test('are saved by mcp config, which does not print them', async () => {
    const device = aDeviceOf(testContext());
    const environment = { ...device.environment, ...VARIABLES };
    const output = anOutput();

    await runCommand({ ...device, environment }, 'mcp', ['config'], output);

    expect(withSavedProxy(device.environment, 'mcp')).toMatchObject(VARIABLES);
    expect([...output.results, ...output.notes].join('\n')).not.toContain('secret');
  });
});
