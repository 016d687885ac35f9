import { describe, expect, test } from 'vitest';
import { RANKING, RULES } from '#components/method/explanations.ts';
import { establishedTable, simulatedIn } from '#components/method/simulated.ts';
import { otherVersion, versionTexts, wholeVersionText } from '#components/method/version-texts.ts';

/** A page's texts with facts that do not matter here. */
function sectionOf(page: typeof RANKING, id: string, facts: Record<string, string>) {
  const any = new Proxy(facts, { get: (of, name: string) => of[name] ?? '' });
  return JSON.stringify(page.sections(any).find((section) => section.id === id)?.blocks);
}

describe('the methodology of a version', () => {
  test.each([
    [1, 'leaves out each day', 'the lower bound of the 95% interval', 'whole intervals'],
    [2, 'every seven days in a row', 'six tenths of the way', 'divided by √2'],
  ])('%d is on the ranking page if the board uses it', (version, interval, value, range) => {
    const texts = { ...versionTexts(version) };

    expect(sectionOf(RANKING, 'interval', texts)).toContain(interval);
    expect(sectionOf(RANKING, 'rank', texts)).toContain(value);
    expect(sectionOf(RANKING, 'rank', texts)).toContain(range);
  });

  test.each([1, 2])('%d is otherwise on the page of the ranking rules', (version) => {
    const { interval, conservative, range } = versionTexts(version);
    const [first = ''] = interval.split('\n');
    const text = sectionOf(RULES, 'versions', { otherVersion: wholeVersionText(version) });

    expect(text).toContain(first);
    expect(text).toContain(conservative);
    expect(text).toContain(range);
    expect(otherVersion(otherVersion(version))).toBe(version);
  });
});

describe('the simulations of both versions', () => {
  test('have the same cases', () => {
    const casesOf = (version: number) => simulatedIn(version).coverage.map((row) => row.scenario);

    expect(casesOf(2)).toEqual(casesOf(1));
  });

  test('find that padding raises no lower bound under version 2', () => {
    expect(simulatedIn(1).padding.every(({ times }) => times > 2)).toBe(true);
    expect(simulatedIn(2).padding.map(({ times }) => times)).toEqual([1, 1, 1]);
    for (const { ruleset, padded } of simulatedIn(2).thin)
      expect(padded).toBe(ruleset.conservative);
  });

  test('show operators with days before the window next to others, worst cases first', () => {
    const { head, rows } = establishedTable();
    const [people] = simulatedIn(2).coverage.filter(({ scenario }) => /^people/.test(scenario));
    const shown = rows.find(([name]) => name?.startsWith('People'));
    const worst = rows.map(([, short = '', , long = '']) =>
      Math.min(...[short, long].map(parseFloat)),
    );

    expect(head).toEqual(['Case', '7 days', 'Width', '30 days', 'Width']);
    expect(shown?.[1]).toContain(`(${(100 * (people?.held.yield[0] ?? 0)).toFixed(1)})`);
    expect(shown?.[3]).toContain(`(${(100 * (people?.held.yield[2] ?? 0)).toFixed(1)})`);
    expect(worst).toEqual([...worst].sort((a, b) => a - b));
  });
});
