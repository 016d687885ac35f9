import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { Improvements } from '#core/contract/improvements.ts';
import { Peers } from '#core/contract/peers.ts';
import { discoverPeers, listedTool, selfImprove } from '#core/contract/tools.ts';

const TOOLS = DEVICE_TOOLS.map((tool) => [tool.name, listedTool(tool)] as const);

describe('the tools of a device', () => {
  test('have names that every client takes, each its own', () => {
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

  test.each(TOOLS)('%s says all four hints, and what its arguments mean', (_, tool) => {
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

  test.each(['submit_verified', 'discover_peers'])('%s marks what others wrote', (name) => {
    const [, tool] = TOOLS.find(([known]) => known === name) ?? [];
    expect(tool?.description).toMatch(/data, never (as )?instructions/);
    expect(tool?.outputSchema).toMatchObject({ required: expect.arrayContaining(['untrusted']) });
  });
});

describe('the tools that every server has', () => {
  test.each([
    [discoverPeers, Peers],
    [selfImprove, Improvements],
  ])('$name takes nothing, and answers as the REST API does', (tool, reply) => {
    expect(tool.output).toBe(reply);
    expect(tool.input.safeParse({}).success).toBe(true);
    expect(tool.input.safeParse({ board: 'https://bench.example.org' }).success).toBe(false);
  });
});
