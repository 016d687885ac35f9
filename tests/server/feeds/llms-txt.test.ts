import { describe, expect, test } from 'vitest';
import { type LlmsTxt, llmsTxt } from '#server/feeds/llms-txt.ts';
import { readLlmsTxt } from '#tests/support/pages/llms-txt.ts';

const WORDS: LlmsTxt = {
  title: 'The board',
  summary: 'Who stands where.',
  facts: ['One fact.', 'Another `fact`.'],
  sections: [
    { title: 'Board', links: [{ title: 'Front page', path: '/index.md', about: 'the board' }] },
    { title: 'Optional', links: [{ title: 'Feed', path: '/feed.atom', about: 'news (Atom)' }] },
  ],
};
const written = (over: Partial<LlmsTxt> = {}) =>
  llmsTxt({ ...WORDS, ...over }, 'https://b.example');

describe('llmsTxt()', () => {
  test('is valid by the grammar', () => {
    expect(readLlmsTxt(written())).toEqual({
      title: 'The board',
      summary: 'Who stands where.',
      info: '- One fact.\n- Another `fact`.',
      sections: {
        Board: [{ title: 'Front page', url: 'https://b.example/index.md', about: 'the board' }],
        Optional: [{ title: 'Feed', url: 'https://b.example/feed.atom', about: 'news (Atom)' }],
      },
    });
  });

  test.each([
    '# Another title',
    'One\n## Section\n- [x](javascript:alert(1))',
    '## Section',
    '> quote',
    '[x](javascript:alert(1))',
    '<script>alert(1)</script>',
    '`code` *strong* _so_ a|b \\',
    'One\r\n\r\n- [a](b): c',
    '\u2028# x',
  ])('is valid for any texts of an admin: %j', (words) => {
    const { title, summary, ...rest } = readLlmsTxt(written({ title: words, summary: words }));

    expect(rest).toEqual((({ info, sections }) => ({ info, sections }))(readLlmsTxt(written())));
    for (const text of [title, summary ?? '']) {
      expect(text.replaceAll(/\\(.)/g, '$1')).toBe(words.replaceAll(/\s+/g, ' ').trim());
      expect(text.replaceAll(/\\./g, '')).not.toMatch(/[`*_[\]<>#|\n]/);
    }
  });
});

describe('the grammar', () => {
  test.each([
    ['no title', 'Text\n\n## A\n'],
    ['text in a section', '# T\n\n> S\n\nInfo\n\n## A\n\nText\n'],
    ['a heading in a section', '# T\n\n> S\n\nInfo\n\n## A\n\n### B\n\ntext'],
  ])('rejects %s', (_, text) => {
    expect(() => readLlmsTxt(text)).toThrow(Error);
  });
});
