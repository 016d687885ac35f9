import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bucketsIn } from '#db/buckets.ts';
import { migrate, migrationsIn } from '#db/engine/migrate.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { MAX_COUNT } from '#core/schema/usage.ts';
import { aCountedBucket } from '#tests/support/board/builders.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { aPopulatedDatabase } from '#tests/support/board/database.ts';

const GROUP = { operator_id: 1, day: '2026-03-01', tool: 'claude-code' };

const counted = aCountedBucket;

function withBuckets(...rows: CountedBucket[]) {
  const db = aPopulatedDatabase();
  const buckets = bucketsIn(db);
  buckets.replaceGroups(1, [], rows);
  return { db, buckets };
}

const changesOf = (db: Database.Database, work: () => void) => {
  const total = db.prepare('SELECT total_changes()').pluck();
  const before = total.get() as number;
  work();
  return (total.get() as number) - before;
};

describe('group()', () => {
  test('returns what was written, only of that day and tool', () => {
    const row = counted({ cache_write: null, cache_read: 0, input: MAX_COUNT });
    const { buckets } = withBuckets(
      row,
      counted({ day: '2026-03-02' }),
      counted({ tool: 'codex' }),
    );

    expect(buckets.group(GROUP)).toEqual([row]);
  });

  test("uses the trust of the daily count's device", () => {
    const { buckets } = withBuckets(counted({ device_id: 3, counts: 0 }));

    expect(buckets.group(GROUP)).toMatchObject([{ trust: 'self_reported', counts: 0 }]);
  });
});

describe('replaceGroups()', () => {
  const first = counted({ model: 'a' });
  const second = counted({ model: 'b' });

  test('writes nothing if nothing differs', () => {
    const { db, buckets } = withBuckets(first, second);

    const changes = changesOf(db, () => buckets.replaceGroups(1, [first, second], [second, first]));

    expect(changes).toBe(0);
  });

  test.each<[string, Partial<CountedBucket>]>([
    ['the log entry', { log_index: 2, input: 9 }],
    ['the verdict', { counts: 0 }],
  ])('writes only the daily count whose %s changed, and its month', (_, over) => {
    const { db, buckets } = withBuckets(first, second);
    const changed = counted({ model: 'b', ...over });

    const changes = changesOf(db, () =>
      buckets.replaceGroups(1, [first, second], [first, changed]),
    );

    expect(changes).toBe(2);
    expect(buckets.group(GROUP)).toEqual([first, changed]);
  });

  test('removes what is missing and adds what is new', () => {
    const { db, buckets } = withBuckets(first, second);
    const other = counted({ model: 'b', device_id: 2 });

    const changes = changesOf(db, () => buckets.replaceGroups(1, [first, second], [first, other]));

    expect(changes).toBe(3);
    expect(buckets.group(GROUP)).toEqual([first, other]);
  });
});

describe('totals()', () => {
  test('sums what counts', () => {
    const { buckets } = withBuckets(
      counted({ cache_read: null }),
      counted({ tool: 'codex', model: 'x' }),
      counted({ tool: 'zed', model: 'z', counts: 0 }),
    );

    expect(buckets.totals(1)).toMatchObject({ total: 2 * 1_111_100 - 1_000_000, standing: 3 });
    expect(buckets.totals(2)).toMatchObject({ total: 0, standing: 0 });
  });

  test('counts tools, providers and models, exactly if there are many', () => {
    const models = Array.from({ length: 49 }, (_, number) => counted({ model: `model-${number}` }));
    const { buckets } = withBuckets(...models, counted({ tool: 'zed', model: 'z', counts: 0 }));
    expect(buckets.totals(1)).toMatchObject(sources(50, 50, 50, 50));

    buckets.replaceGroups(1, [], [counted({ tool: 'codex', provider: 'other', model: 'model-0' })]);
    expect(buckets.totals(1)).toMatchObject(sources(2, 2, 49, 50));
    expect(buckets.totals(2)).toMatchObject(sources(0, 0, 0, 0));
  });

  test('is exact up to 2^53-1 and infinite above', () => {
    const only = { output: 0, cache_write: null, cache_read: 0 };
    const most = counted({ ...only, input: MAX_COUNT - 1 });
    const { buckets } = withBuckets(most, counted({ ...only, input: 1, day: '2026-03-02' }));

    expect(buckets.totals(1).total).toBe(MAX_COUNT);
    buckets.replaceGroups(1, [], [counted({ ...only, input: 1, day: '2026-03-03' })]);
    expect(buckets.totals(1).total).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('daysOfTool()', () => {
  test('finds the days of one device and tool within the span, both ends included', () => {
    const { buckets } = withBuckets(
      counted({ day: '2026-02-28' }),
      counted({ day: '2026-03-01' }),
      counted({ day: '2026-03-01', model: 'other' }),
      counted({ day: '2026-03-03', counts: 0 }),
      counted({ day: '2026-03-04' }),
      counted({ day: '2026-03-02', device_id: 2 }),
      counted({ day: '2026-03-02', tool: 'codex' }),
    );
    const span = { operator_id: 1, device_id: 1, tool: 'claude-code' };

    expect(buckets.daysOfTool({ ...span, from: '2026-03-01', to: '2026-03-03' })).toEqual([
      '2026-03-01',
      '2026-03-03',
    ]);
  });
});

describe('fingerprints', () => {
  test('are stored in 4 bytes a value, next to the stated counts if only a part counts', () => {
    const fingerprint = fingerprintOfResponses(0, 30);
    const part = { input: 550, output: 5_000, cache_write: null, cache_read: 500_000 };
    const row = counted({ cache_write: null, counted: part, fingerprint });
    const { db, buckets } = withBuckets(row, counted({ model: 'whole', fingerprint }));

    expect(buckets.group(GROUP)[0]).toEqual(row);
    const stored = db
      .prepare('SELECT length(fingerprint), input, stated_input FROM buckets')
      .raw()
      .all();
    expect(stored).toEqual([
      [60, 550, 1_100],
      [60, 1_100, null],
    ]);
  });

  test('are missing before the upgrade, when each daily count counted completely or not at all', () => {
    const db = new Database(':memory:');
    onTestFinished(() => void db.close());
    const earlier = migrationsIn(MIGRATIONS).filter((name) => name < '0013');
    const now = () => new Date(0);
    migrate(db, MIGRATIONS, now, earlier);
    db.exec(`INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '');
      INSERT INTO devices (id, public_id, operator_id, trust, label, created_at)
        VALUES (1, 'd', 1, 'signed', '', ''), (2, 'e', 1, 'signed', '', '');
      INSERT INTO log_entries VALUES (1, 'snapshot', '', '', '', '', 1, NULL, NULL);
      INSERT INTO buckets VALUES
        (1, '2026-03-01', 'claude-code', 1, 'anthropic', 'm', 1, 2, NULL, 4, 1, 1),
        (1, '2026-03-01', 'claude-code', 2, 'anthropic', 'm', 1, 2, NULL, 4, 1, 0)`);

    migrate(db, MIGRATIONS, now);

    const stated = { model: 'm', input: 1, output: 2, cache_write: null, cache_read: 4 };
    expect(bucketsIn(db).group(GROUP)).toEqual([
      counted(stated),
      counted({ ...stated, device_id: 2, counts: 0 }),
    ]);
  });
});

function sources(tools: number, providers: number, models: number, pairs: number) {
  return { tools, providers, models, pairs };
}
