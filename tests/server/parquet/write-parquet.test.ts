import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PrivacyMode } from '#core/schema/record.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { writeParquet } from '#server/parquet/write-parquet.ts';
import { temporaryPathOf } from '#server/process/atomic-file.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { aRecord, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aDuckDb } from '#tests/support/board/duckdb.ts';

function sourceOf({ store, config, ruleset, now }: TestContext) {
  return { store, baseUrl: config.baseUrl, ruleset: ruleset.id, now: now() };
}

/** Writes the file, and returns its path and what queries answer. */
async function written(ctx: TestContext, over: { rowGroup?: number } = {}) {
  const path = join(aDataDir(), 'counts.parquet');
  const result = await writeParquet(sourceOf(ctx), {
    path,
    draft: temporaryPathOf(path),
    over: false,
    ...over,
  });
  return { path, result, ask: await aDuckDb(dirname(path)) };
}

/** A board on which `ada` and `bob` submitted. */
async function aScene() {
  const ctx = testContext();
  const ada = await anEnrolledDevice(ctx, 'ada');
  const bob = await anEnrolledDevice(ctx, 'bob');
  await submit(ctx, ada, bucketsOfDays(3, '2026-03-01'));
  await submit(ctx, bob, bucketsOfDays(2, '2026-03-01', { tool: 'codex', cache_write: null }));
  return { ctx, ada, bob };
}

const NAMES = `SELECT DISTINCT operator FROM 'counts.parquet' ORDER BY ALL`;

describe('writeParquet()', () => {
  test('writes the daily counts of each operator in the order of names', async () => {
    const { ctx } = await aScene();

    const { ask, result } = await written(ctx);

    expect(result).toEqual({ as_of: '2026-03-10', log_index: 8, rows: 5 });
    const rows = await ask(`SELECT * FROM 'counts.parquet'`);
    expect(rows.map(({ operator, day }) => [operator, day])).toEqual([
      ['ada', '2026-03-01'],
      ['ada', '2026-03-02'],
      ['ada', '2026-03-03'],
      ['bob', '2026-03-01'],
      ['bob', '2026-03-02'],
    ]);
    expect(rows[0]).toEqual({
      ...{ day: '2026-03-01', operator: 'ada', cohort: null, tool: 'claude-code' },
      ...{ provider: 'anthropic', model: 'claude-opus-5', trust: 'signed', log_index: '7' },
      ...{ input: '1100', output: '10000', cache_write: '100000', cache_read: '1000000' },
    });
    expect(rows[3]).toMatchObject({ tool: 'codex', cache_write: null, cache_read: '1000000' });
  });

  test('has types, compression, statistics and facts about itself', async () => {
    const { ctx } = await aScene();

    const { ask } = await written(ctx);

    const types = await ask(`DESCRIBE FROM 'counts.parquet'`);
    expect(types.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
      'day DATE',
      ...['operator', 'cohort', 'tool', 'provider', 'model', 'trust'].map(
        (name) => `${name} VARCHAR`,
      ),
      ...['input', 'output', 'cache_write', 'cache_read', 'log_index'].map(
        (name) => `${name} BIGINT`,
      ),
    ]);
    const columns = await ask(`
      SELECT path_in_schema AS name, compression, encodings, stats_min_value AS least, stats_max_value AS most
      FROM parquet_metadata('counts.parquet')`);
    expect(columns[0]).toMatchObject({ name: 'day', least: '2026-03-01', most: '2026-03-03' });
    expect(columns[1]).toMatchObject({ name: 'operator', least: 'ada', most: 'bob' });
    expect(columns[1]?.['encodings']).toContain('RLE_DICTIONARY');
    expect(new Set(columns.map(({ compression }) => compression))).toEqual(new Set(['ZSTD']));
    const facts = await ask(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('counts.parquet')`,
    );
    expect(Object.fromEntries(facts.map(({ key, value }) => [key, value]))).toEqual({
      ...{ schema: '1', board: ctx.config.baseUrl, as_of: '2026-03-10', log_index: '8' },
      ruleset: ctx.ruleset.id,
      terms: expect.stringContaining(`${ctx.config.baseUrl}/privacy#use`),
    });
  });

  test('writes row groups of the same length, and the rest', async () => {
    const { ctx } = await aScene();

    const { ask, result } = await written(ctx, { rowGroup: 2 });

    expect(result.rows).toBe(5);
    const [file] = await ask(`FROM parquet_file_metadata('counts.parquet')`);
    expect(file).toMatchObject({ num_rows: '5', num_row_groups: '3' });
    expect(
      await ask(
        `SELECT operator, count(*) AS days FROM 'counts.parquet' GROUP BY ALL ORDER BY ALL`,
      ),
    ).toEqual([
      { operator: 'ada', days: '3' },
      { operator: 'bob', days: '2' },
    ]);
  });

  test('is empty for a board without daily counts', async () => {
    const { ask, result } = await written(testContext());

    expect(result.rows).toBe(0);
    expect(await ask(`SELECT count(*) AS rows, min(day) AS day FROM 'counts.parquet'`)).toEqual([
      { rows: '0', day: null },
    ]);
  });

  test('keeps large counts exact, and names in any script', async () => {
    const { ctx, ada } = await aScene();
    const most = Number.MAX_SAFE_INTEGER - 30_000_000;
    const model = '模型 🦜 "x"';
    await submit(ctx, ada, bucketsOfDays(1, '2026-03-09', { model, cache_read: most }));

    const { ask } = await written(ctx);

    expect(
      await ask(`SELECT model, cache_read FROM 'counts.parquet' WHERE day = '2026-03-09'`),
    ).toEqual([{ model, cache_read: String(most) }]);
  });

  test.each<[string, { privacy_mode?: PrivacyMode; data_opt_out?: 0 | 1 }, string[]]>([
    ['identified', { privacy_mode: 'identified' }, ['ada', 'bob']],
    ['anonymous', { privacy_mode: 'anonymous' }, ['bob']],
    ['private', { privacy_mode: 'private' }, ['bob']],
    ['opted out', { data_opt_out: 1 }, ['bob']],
  ])('handles an operator who is %s', async (_, change, expected) => {
    const { ctx } = await aScene();
    ctx.store.transaction(() => changeVisibility(ctx, 1, change));

    const { ask } = await written(ctx);

    expect((await ask(NAMES)).map(({ operator }) => operator)).toEqual(expected);
  });

  test('leaves out an operator whom the admin hides', async () => {
    const { ctx } = await aScene();
    hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'Invented counts' });

    const { ask } = await written(ctx);

    expect(await ask(NAMES)).toEqual([{ operator: 'bob' }]);
  });

  test('names the cohort only of identified operators', async () => {
    const { ctx } = await aScene();
    ctx.store.operators.setCohort(1, 'makers');
    ctx.store.operators.setCohort(2, 'makers');
    ctx.store.transaction(() => changeVisibility(ctx, 1, { privacy_mode: 'identified' }));

    const { ask } = await written(ctx);

    expect(
      await ask(`SELECT DISTINCT operator, cohort FROM 'counts.parquet' ORDER BY ALL`),
    ).toEqual([
      { operator: 'ada', cohort: 'makers' },
      { operator: 'bob', cohort: null },
    ]);
  });

  test('leaves out what does not count, and marks self-reported counts', async () => {
    const { ctx } = await aScene();
    const zed = { ...aRecord().source, tool: 'zed' };
    const text = JSON.stringify({ records: [aRecord(), aRecord({ source: zed })] });
    await submitRecords(ctx, { operator_id: 1 }, { text, idempotencyKey: undefined });

    const { ask } = await written(ctx);

    expect(
      await ask(
        `SELECT tool, trust FROM 'counts.parquet' WHERE operator = 'ada' AND day = '2026-03-01' ORDER BY ALL`,
      ),
    ).toEqual([
      { tool: 'claude-code', trust: 'signed' },
      { tool: 'zed', trust: 'self_reported' },
    ]);
  });

  test('starts again without an operator who hides meanwhile', async () => {
    const { ctx } = await aScene();
    const source = sourceOf(ctx);
    const path = join(aDataDir(), 'counts.parquet');
    const writing = writeParquet(source, { path, draft: temporaryPathOf(path), over: false });
    ctx.store.transaction(() => changeVisibility(ctx, 1, { privacy_mode: 'private' }));

    expect(await writing).toMatchObject({ rows: 2 });

    const ask = await aDuckDb(dirname(path));
    expect(await ask(NAMES)).toEqual([{ operator: 'bob' }]);
    expect(readdirSync(dirname(path))).toEqual(['counts.parquet']);
  });

  test('can be read by its owner only, and replaces nothing that it must not', async () => {
    const { ctx } = await aScene();
    const { path } = await written(ctx);
    expect(statSync(path).mode & 0o077).toBe(0);
    writeFileSync(path, 'mine');
    const draft = temporaryPathOf(path);

    await expect(writeParquet(sourceOf(ctx), { path, draft, over: false })).rejects.toMatchObject({
      fault: 'taken',
    });
    expect(existsSync(draft)).toBe(false);
    expect(statSync(path).size).toBe(4);
    await writeParquet(sourceOf(ctx), { path, draft, over: true });
    expect(statSync(path).size).toBeGreaterThan(1000);
  });
});
