import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { listedTool } from '#core/contract/mcp/tools.ts';

const TOOLS = DEVICE_TOOLS.map((tool) => [tool.name, listedTool(tool)] as const);

describe('the tools of a device', () => {
  test('have unique names that every client accepts', () => {
    const names = DEVICE_TOOLS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z_]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(TOOLS)('%s has closed schemas of 2020-12 without references elsewhere', (_, tool) => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false });
    addFormats.default(ajv);

    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(() => ajv.compile(schema)).not.toThrow();
      const elsewhere = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)];
      expect(elsewhere.filter(([, ref]) => !ref?.startsWith('#/$defs/'))).toEqual([]);
    }
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
      expect(tool?.outputSchema).toMatchObject({ required: expect.arrayContaining(['untrusted']) });
    },
  );
});

describe('a tool that boards also have', () => {
  const remote = new Map(BOARD_TOOLS.map((tool) => [tool.name as string, listedTool(tool)]));
  const both = TOOLS.filter(([name]) => remote.has(name));

  test('is in this list', () => {
    expect(both.map(([name]) => name)).toEqual(['discover_peers', 'self_improve']);
  });

  test.each(both)(
    '%s has the same input and output here and there',
    (name, { inputSchema, outputSchema }) => {
      expect({ inputSchema, outputSchema }).toEqual({
        inputSchema: remote.get(name)?.inputSchema,
        outputSchema: remote.get(name)?.outputSchema,
      });
    },
  );
});
