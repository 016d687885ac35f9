import { describe, expect, test } from 'vitest';
import { FORMER_ANCHORS } from '#components/method/former-anchors.ts';
import { METHODOLOGY, PRIVACY, SCIENCE } from '#components/method/explanations.ts';

const SETS = [METHODOLOGY, SCIENCE, PRIVACY];
const PAGES = SETS.flatMap(({ overview, parts }) => [overview, ...parts]);

describe('explanations', () => {
  test.each(PAGES)('$path has a title, a lead and sections with distinct anchors', (page) => {
    const ids = Object.keys(page.titles);

    expect(page.title).not.toBe('');
    expect(page.lead).toMatch(/\.$/);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).not.toContain('');
  });

  test('each part is listed below its overview', () => {
    for (const { overview, parts } of SETS) {
      expect(parts.every(({ path }) => path.startsWith(`${overview.path}/`))).toBe(true);
    }
  });

  test('every former anchor leads to a section', () => {
    const anchors = PAGES.flatMap(({ path, titles }) =>
      Object.keys(titles).map((id) => `${path}#${id}`),
    );

    expect(anchors).toEqual(expect.arrayContaining(Object.keys(FORMER_ANCHORS)));
  });
});
