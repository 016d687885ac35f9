import { describe, expect, test } from 'vitest';
import { type Badge, badge } from '../../src/charts/badge.ts';
import { classShape } from '../../src/charts/class-mark.ts';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import { drawn } from '../support/pages/drawn.ts';

const RANKED: Badge = {
  board: 'Opbench',
  says: [{ text: 'yield ' }, { text: '12', tone: 'strong' }, { text: ' of 214' }],
  title: 'Opbench: otter is ranked 12 of 214',
  colours: DEFAULT_COLOURS.light,
};

/** The attributes of the outermost element. */
function rootOf(svg: string): Record<string, string> {
  const head = /^<svg ([^>]*)>/.exec(svg)?.[1] ?? '';
  return Object.fromEntries([...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, ...pair]) => pair));
}

/** The position of the line between the name and the text. */
const edgeOf = (svg: string) => Number(/d="M(\d+)\.5 1V21"/.exec(svg)?.[1]);

describe('badge()', () => {
  test('is a picture with a title, as wide as its text', () => {
    const { svg } = badge(RANKED);
    const { width, ...root } = rootOf(svg);
    expect(root).toEqual({
      xmlns: 'http://www.w3.org/2000/svg',
      height: '22',
      viewBox: `0 0 ${width} 22`,
      role: 'img',
      'aria-label': RANKED.title,
    });
    expect(svg).toContain(`><title>${RANKED.title}</title>`);
    const longer = badge({ ...RANKED, says: [...RANKED.says, { text: ', 7 days' }] }).svg;
    expect(Number(rootOf(longer)['width'])).toBeGreaterThan(Number(width) + 30);
  });

  test('uses nothing that a content security policy could block', () => {
    expect(badge(RANKED).svg).not.toMatch(/style|class=|href|url\(|NaN|undefined/);
  });

  test('uses only the given colors', () => {
    for (const colours of Object.values(DEFAULT_COLOURS)) {
      const seen = badge({ ...RANKED, colours }).svg.match(/#[0-9a-f]{6}/g) ?? [];
      const known: string[] = Object.values(colours);
      expect(seen.length).toBeGreaterThan(5);
      expect(seen.filter((colour) => !known.includes(colour))).toEqual([]);
    }
  });

  test('is flat without lines, plain without a frame, and has the mark of a class', () => {
    const flat = badge({ ...RANKED, style: 'flat' }).svg;
    const plain = badge({ ...RANKED, style: 'plain' }).svg;
    const ofClass = badge({ ...RANKED, tier: 'rapids' }).svg;

    expect([flat.match(/<rect/g)?.length, flat.includes('rx=')]).toEqual([2, false]);
    expect(plain).not.toContain('<rect');
    expect(rootOf(flat)['width']).toBe(rootOf(plain)['width']);
    expect(ofClass).toContain(classShape('rapids')?.svg);
    expect(badge({ ...RANKED, tier: 'unclassed' }).svg).toBe(badge(RANKED).svg);
  });

  test.each([
    ['a short name', 'Opbench', '12'],
    ['a long name and value', 'W'.repeat(60), '1,000,000,000,000,000'],
    ['a hostile name', '</title><script>&"\u0000', '-1.25'],
    ['a name without outlines', '排行榜'.repeat(20), '12'],
  ])('keeps %s inside its frame', async (_, board, text) => {
    const says = [{ text: 'yield ' }, { text, tone: 'strong' as const }];
    const { svg } = badge({ ...RANKED, board, says, title: board });

    const { width, height, colours } = await drawn(svg);

    expect([String(width), height]).toEqual([rootOf(svg)['width'], 22]);
    // Only the background is between the characters and each edge.
    const inside = { top: 2, bottom: 20 };
    const edge = edgeOf(svg);
    expect(colours({ ...inside, left: edge - 6, right: edge })).toBe(1);
    expect(colours({ ...inside, left: edge + 2, right: edge + 7 })).toBe(1);
    expect(colours({ ...inside, left: width - 7, right: width - 2 })).toBe(1);
    expect(colours({ ...inside, left: edge + 2, right: width - 2 })).toBeGreaterThan(5);
    expect(width).toBeLessThan(420);
  });
});
