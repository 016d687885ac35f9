import { describe, expect, test } from 'vitest';
import { PublicationAge } from '#server/health.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aPublisher } from '#tests/support/board/publisher.ts';

type Told = [event: string, fields: object | undefined];

/** The age of a publication, by a clock that tests control. */
function anAge(refreshMs = 300_000, onStale?: (age_s: number) => boolean) {
  const clock = { nowMs: 5_000_000 };
  const told: Told[] = [];
  const tell = (event: string, fields?: object) => void told.push([event, fields]);
  const age = new PublicationAge({
    refreshMs,
    nowMs: () => clock.nowMs,
    logger: { info: tell, warn: tell },
    ...(onStale && { onStale }),
  });
  return { age, clock, told };
}

describe('PublicationAge', () => {
  test('logs once that three publications in a row are missing, and once that they are back', () => {
    const { age, clock, told } = anAge();
    clock.nowMs += 900_000;
    age.look();
    expect(told).toEqual([]);

    clock.nowMs += 1_000;
    age.look();
    clock.nowMs += 5_000;
    age.look();
    expect(told).toEqual([['publication_stale', { age_s: 901 }]]);
    expect(age.isStale).toBe(true);

    age.checked();
    age.checked();
    expect(told.slice(1)).toEqual([['publication_recovered', { after_s: 906 }]]);
    expect([age.isStale, age.seconds]).toEqual([false, 0]);
  });

  test('reports once that it is stale, or again until that succeeds', () => {
    const ages: number[] = [];
    const { age, clock } = anAge(300_000, (age_s) => ages.push(age_s) > 1);
    for (let looks = 0; looks < 400; looks += 1) {
      clock.nowMs += 5_000;
      age.look();
    }
    age.checked();
    clock.nowMs += 905_000;
    age.look();

    expect(ages).toEqual([905, 1_505, 905]);
  });

  test('logs again every ten minutes while it lasts', () => {
    const { age, clock, told } = anAge();
    clock.nowMs += 1_000_000;

    for (let looks = 0; looks < 360; looks += 1) {
      age.look();
      clock.nowMs += 5_000;
    }

    expect(told.map(([, fields]) => fields)).toEqual([
      { age_s: 1000 },
      { age_s: 1600 },
      { age_s: 2200 },
    ]);
  });

  test('does not call a board stale after a pause of a minute, however often it publishes', () => {
    const { age, clock } = anAge(500);

    clock.nowMs += 60_000;
    expect(age.isStale).toBe(false);
    clock.nowMs += 1;
    expect(age.isStale).toBe(true);
  });

  test('follows a publisher that fails and continues to try', async () => {
    const { age, clock, told } = anAge();
    const page = { status: 200 };
    const publisher = aPublisher(testContext(), {
      render: () => Promise.resolve(new Response('x', page)),
      onChecked: () => age.checked(),
    });
    await publisher.start();
    page.status = 500;
    clock.nowMs += 901_000;
    await expect(publisher.publish(false)).rejects.toThrow();
    age.look();
    expect(told).toEqual([['publication_stale', { age_s: 901 }]]);

    page.status = 200;
    await publisher.publish();

    expect(told.at(-1)).toEqual(['publication_recovered', { after_s: 901 }]);
    clock.nowMs += 901_000;
    await publisher.publish();
    age.look();
    expect(told).toHaveLength(2);
    expect(age.seconds).toBe(0);
  });
});
