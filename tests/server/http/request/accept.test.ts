import { expect, test } from 'vitest';
import { prefersMarkdown } from '#server/http/request/accept.ts';

test.each([
  'text/markdown',
  'TEXT/Markdown',
  'text/markdown, text/html, */*',
  'text/html, text/markdown',
  'text/markdown, text/html;q=0.9',
  'text/html;q=0.8, text/markdown;q=0.81',
  'text/markdown;charset=utf-8, text/html',
  'text/markdown;q=0.1, text/html;q=0, */*',
  'text/markdown;q=0.5, */*;q=0.4',
  'text/markdown ; q=1.000',
])('%s asks for Markdown', (accept) => {
  expect(prefersMarkdown(accept)).toBe(true);
});

test.each([
  undefined,
  '',
  '*/*',
  'text/*',
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/markdown;q=0',
  'text/markdown;q=0.000, */*;q=0.1',
  'text/markdown;q=0.5, text/html',
  'text/markdown;q=0.5, text/*',
  'text/markdown;q=0.5, */*',
  'text/markdown;q=2',
  'text/markdown;q=high',
  'text/markdown;q=',
  'text/markdown;q=0.1234',
  'text/markdown-extra',
  'x-text/markdown',
  'application/json, q=text/markdown',
  ',,;;text/markdown;;,',
])('%s does not', (accept) => {
  expect(prefersMarkdown(accept)).toBe(false);
});
