import { expect, test } from 'vitest';
import source from '#components/developer/protocol.md?raw';
import { type TextBlock, sectionsIn } from '#components/text/markdown-text.ts';

const names = [...source.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
const facts = Object.fromEntries(names.map((name) => [name, `the ${name}`]));

test('the protocol has sections with anchors and blocks of every kind', () => {
  const sections = sectionsIn(source, facts);
  expect(sections.map(({ id }) => id).slice(0, 4)).toEqual([
    'overview',
    'encodings',
    'keys',
    'envelope',
  ]);
  expect(sections.every(({ title, blocks }) => title !== '' && blocks.length > 0)).toBe(true);
  const blocks = sections.flatMap((section) => section.blocks);
  const kindOf = (block: TextBlock) => (typeof block === 'string' ? 'text' : Object.keys(block)[0]);
  expect(new Set(blocks.map(kindOf))).toEqual(
    new Set(['text', 'steps', 'items', 'code', 'terms', 'fields']),
  );
  const terms = blocks.flatMap((block) =>
    typeof block !== 'string' && 'terms' in block ? block.terms : [],
  );
  expect(terms.flat().filter((cell) => cell.trim() !== cell || cell === '')).toEqual([]);
  expect(terms).toContainEqual(['kid', 'key ID', expect.stringMatching(/^Header\./)]);
});

test('the parsed text has no Markdown left, and a missing fact is an error', () => {
  expect(JSON.stringify(sectionsIn(source, facts))).not.toMatch(
    /\{\{|```|"\| |"- |"\d+\. |<!--|\\\\_/,
  );
  expect(() => sectionsIn(source, { ...facts, firstDay: undefined } as never)).toThrow('firstDay');
});
