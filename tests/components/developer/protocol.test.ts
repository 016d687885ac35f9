import { expect, test } from 'vitest';
import { protocolSections } from '#components/developer/protocol.ts';
import type { TextBlock } from '#components/text/markdown-text.ts';

const names = ['baseUrl', 'schemas', 'vectors', 'maxBytes', 'maxRecords', 'codeMinutes'];
const facts = Object.fromEntries(
  [...names, 'skewMinutes', 'tokenSeconds', 'firstDay'].map((name) => [name, `the ${name}`]),
);

test('the sections of the protocol, each with an anchor and blocks of every kind', () => {
  const sections = protocolSections(facts);
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
  expect(JSON.stringify(protocolSections(facts))).not.toMatch(
    /\{\{|```|"\| |"- |"\d+\. |<!--|\\\\_/,
  );
  expect(() => protocolSections({ ...facts, firstDay: undefined } as never)).toThrow('firstDay');
});
