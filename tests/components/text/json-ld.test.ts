import { describe, expect, test } from 'vitest';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { readBoardPage } from '#server/board/board-page.ts';
import { readOperatorPage } from '#server/board/operator-page.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { type TestContext, execute, publish, testContext } from '#tests/support/board/context.ts';
import { expanded } from '#tests/support/pages/json-ld.ts';
import { boardDataset } from '#components/board/board-dataset.ts';
import { operatorProfile } from '#components/operator/operator-profile.ts';

const TOLD = { name: 'Test board', baseUrl: 'https://bench.example.org' };
const EVIL = '</script><script>alert("&amp;")</script><!--';
const LINK = 'https://example.net/?a=1&b=%3C';
const NAMES = ['ada', 'bob'];

/** A board with two complete profiles: ada is identified, bob is pseudonymous. */
function aScene(): TestContext {
  const ctx = testContext();
  for (const codename of NAMES) anActive(ctx, codename, tenDays());
  const told = `display_name = 'Shown ${EVIL}', bio = 'Of two\nlines', links = '["${LINK}"]'`;
  execute(ctx, `UPDATE operators SET ${told}`);
  execute(ctx, `UPDATE operators SET privacy_mode = 'identified' WHERE codename = 'ada'`);
  publish(ctx);
  return ctx;
}

function datasetOf(ctx: TestContext, window: (typeof WINDOWS)[number], query = '') {
  const page = readBoardPage(ctx, { window, metric: 'yield' }, new URLSearchParams(query));
  if (typeof page === 'string') throw new Error(`There is no such board: ${page}`);
  const sheet = { ...page.sheet, as_of: '2026-03-10' };
  return boardDataset(sheet, { ...TOLD, canonical: `/leaderboard/${window}/yield` });
}

function profileOf(ctx: TestContext, codename: string) {
  const view = operatorViewOf(new URLSearchParams());
  return operatorProfile(readOperatorPage(ctx, codename, view), TOLD);
}

describe('boardDataset()', () => {
  test.each(WINDOWS)('is a data set in the vocabulary of schema.org: %s', async (window) => {
    const dataset = datasetOf(aScene(), window);
    const thing = await expanded(dataset);
    const { description } = dataset as { description: string };

    expect(thing['@type']).toEqual(['https://schema.org/Dataset']);
    expect(thing['https://schema.org/variableMeasured']).toHaveLength(METRIC_NAMES.length);
    expect(thing['https://schema.org/distribution']).toHaveLength(3);
    expect(description.length).toBeGreaterThanOrEqual(50);
    expect(description.length).toBeLessThanOrEqual(5000);
    expect(dataset).toMatchObject({
      url: `https://bench.example.org/leaderboard/${window}/yield`,
      isAccessibleForFree: true,
      creator: { '@type': 'Organization', name: 'Test board' },
    });
  });

  test.each([
    ['7d', '2026-03-04/2026-03-10'],
    ['90d', '2025-12-11/2026-03-10'],
    ['all_time', '../2026-03-10'],
  ] as const)('covers the days of %s', (window, temporalCoverage) => {
    expect(datasetOf(aScene(), window)).toMatchObject({ temporalCoverage });
  });

  test("links the data of the page's view, and names no operator", () => {
    const dataset = datasetOf(aScene(), '30d', 'trust=all');
    const read = 'https://bench.example.org/api/v1/leaderboard?window=30d&metric=yield&trust=all';

    expect(dataset).toMatchObject({
      distribution: [
        { encodingFormat: 'application/json', contentUrl: read },
        { encodingFormat: 'text/csv', contentUrl: `${read}&format=csv` },
        { contentUrl: 'https://bench.example.org/log.ndjson.gz' },
      ],
    });
    const words = JSON.stringify(dataset).match(/\w+/g) ?? [];
    expect(words.filter((word) => NAMES.includes(word))).toEqual([]);
  });
});

test('a term that schema.org does not define is found', async () => {
  const dataset = datasetOf(aScene(), '30d');
  await expect(expanded({ ...dataset, lisence: 'https://example.org' })).rejects.toThrow();
  await expect(expanded({ ...dataset, '@type': 'Datazet' })).rejects.toThrow();
});

describe('operatorProfile()', () => {
  test('contains what an identified operator shows', async () => {
    const profile = profileOf(aScene(), 'ada');
    const thing = await expanded(profile);

    expect(thing['@type']).toEqual(['https://schema.org/ProfilePage']);
    expect(profile).toMatchObject({
      url: 'https://bench.example.org/operators/ada',
      mainEntity: {
        '@type': 'Person',
        name: `Shown ${EVIL}`,
        alternateName: 'ada',
        description: 'Of two\nlines',
        sameAs: [LINK],
      },
    });
  });

  test('contains only the codename of a pseudonymous operator', () => {
    const url = 'https://bench.example.org/operators/bob';
    expect(profileOf(aScene(), 'bob')['mainEntity']).toEqual({
      '@type': 'Person',
      identifier: 'bob',
      name: 'bob',
      url,
    });
  });
});
