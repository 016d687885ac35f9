import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonConfig } from '#agent/mcp/json-config.ts';
import { membersOf } from '#agent/mcp/json-spans.ts';

describe('JSON in place', () => {
  const place = { holder: 'mcpServers', name: 'opbench' };
  const entry = { command: 'node', args: ['a"b', 'mcp'] };
  const config = fc.record(
    { mcpServers: fc.dictionary(fc.string(), fc.jsonValue()), other: fc.jsonValue() },
    { requiredKeys: [] },
  );

  test('whatever the text, only the entry comes and goes', () => {
    const indents = fc.constantFrom(undefined, 1, 2, 4, '\t');
    fc.assert(
      fc.property(config, indents, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const before = JSON.parse(text) as typeof value;
        if (Object.hasOwn(before.mcpServers ?? {}, 'opbench')) return;

        const added = jsonConfig.add(text, place, entry);
        const mcpServers = { ...before.mcpServers, opbench: entry };
        expect(JSON.parse(added)).toEqual({ ...before, mcpServers });

        const updated = jsonConfig.update(added, place, { ...entry, env: { A: '{' } });
        const removed = JSON.parse(jsonConfig.remove(updated, place)) as typeof value;
        expect(removed).toEqual({ ...before, mcpServers: before.mcpServers ?? {} });
      }),
    );
  });

  test('members are found where they stand', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = ` ${JSON.stringify(value, null, 1)}`;
        const found = membersOf(text, 1).map(({ name, valueFrom, to }) => {
          return [name, JSON.parse(text.slice(valueFrom, to))];
        });
        expect(found).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });
});
