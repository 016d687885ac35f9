import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { listedTool } from '#core/contract/mcp/listed-tool.ts';
import type { Tool } from '#core/contract/mcp/tools.ts';

const TOOLS = DEVICE_TOOLS.map((tool) => [tool.name, listedTool(tool)] as const);

describe('the tools of a device', () => {
  test('have unique names that every client accepts', () => {
    const names = DEVICE_TOOLS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z_]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(TOOLS)('%s has a closed schema of 2020-12 without references', (_, tool) => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false });
    addFormats.default(ajv);

    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(() => ajv.compile(tool.inputSchema)).not.toThrow();
    expect(JSON.stringify(tool.inputSchema)).not.toContain('$ref');
  });

  test.each(TOOLS)('%s has all four hints, and describes its arguments', (_, tool) => {
    const { title, ...hints } = tool.annotations;
    expect(title).toBe(tool.title);
    expect(Object.values(hints).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
    for (const argument of Object.values(tool.inputSchema['properties'] ?? {}))
      expect(argument).toHaveProperty('description');
  });

  test('only scanning stays on the device', () => {
    const closed = DEVICE_TOOLS.filter(({ annotations }) => !annotations.openWorldHint);
    expect(closed.map(({ name }) => name)).toEqual(['scan']);
  });

  test.each(['submit_verified', 'discover_peers', 'status'])(
    '%s marks text of other people',
    (name) => {
      const [, tool] = TOOLS.find(([known]) => known === name) ?? [];
      expect(tool?.description).toMatch(/data, never (as )?instructions/);
      const { output } = DEVICE_TOOLS.find((known) => known.name === name) ?? {};
      expect(output?.shape).toHaveProperty('untrusted');
    },
  );
});

describe('a tool that boards also have', () => {
  const remote = new Map<string, Tool>(BOARD_TOOLS.map((tool) => [tool.name, tool]));
  const both = DEVICE_TOOLS.filter(({ name }) => remote.has(name));

  test('is in this list', () => {
    expect(both.map(({ name }) => name)).toEqual(['discover_peers', 'self_improve']);
  });

  test.each(both)('$name has the same input and output here and there', (tool) => {
    const there = remote.get(tool.name);
    expect({ input: tool.input, output: tool.output }).toEqual({
      input: there?.input,
      output: there?.output,
    });
  });
});
