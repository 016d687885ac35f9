import { expect, test } from 'vitest';
import source from '#components/developer/protocol.md?raw';
import { type TextBlock, sectionsIn } from '#components/text/markdown-text.ts';

const names = [...source.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
const facts = Object.fromEntries(names.map((name) => [name, `the ${name}`]));

test('the sections of the protocol, each with an anchor and blocks of every kind', () => {
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
  expect(terms).toContainEqual([
    'kid',
    'key ID',
    'Header. The device’s key, which signs the token.',
  ]);
});

test('no text is left that is Markdown, or a fact that nobody gave', () => {
  expect(JSON.stringify(sectionsIn(source, facts))).not.toMatch(
    /\{\{|```|"\| |"- |"\d+\. |<!--|\\\\_/,
  );
  expect(() => sectionsIn(source, { ...facts, firstDay: undefined } as never)).toThrow('firstDay');
});
