/** Runs the queries of the page "Analyze all records" on the files of a board. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CorpusQuery } from '#core/contract/corpus.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { significant } from '#core/domain/metrics/metrics.ts';
import { readCorpus } from '#server/board/corpus.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { writeParquet } from '#server/parquet/write-parquet.ts';
import { publicLogSource } from '#server/public-log/lines.ts';
import { writePublicLog } from '#server/public-log/write.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { aRecord, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aDuckDb } from '#tests/support/board/duckdb.ts';
import { aSubmitter } from '#tests/support/board/small-board.ts';
import { codeIn, docsFiles } from '#tests/support/pages/docs-files.ts';

const page = docsFiles().find(({ file }) => file === 'run/analysis.md');
if (!page) throw new Error('The page with the queries is missing');
const QUERIES = codeIn(page)
  .filter(({ lang }) => lang === 'sql')
  .map(({ value }) => value);

/** The query of the page that contains a text. */
function queryWith(part: string): string {
  const found = QUERIES.filter((query) => query.includes(part));
  if (found.length !== 1) throw new Error(`${found.length} queries contain ${part}`);
  return found[0] ?? '';
}

/** A board with every kind of operator. */
async function aBoard(): Promise<TestContext> {
  const ctx = testContext();
  const { store } = ctx;
  const ada = await aSubmitter(ctx, 'ada', bucketsOfDays(40, '2026-01-30', { input: 1_237 }));
  const noReads = { tool: 'amp', model: 'gpt-7', cache_read: null, cache_write: null };
  await submit(ctx, ada, bucketsOfDays(5, '2026-03-01', { ...noReads, input: 700 }));
  const other = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, other, bucketsOfDays(4, '2026-03-05', { input: 999, output: 3_331 }));
  await aSubmitter(ctx, 'bob', bucketsOfDays(20, '2026-02-15', { output: 7_919, tool: 'codex' }));
  await aSubmitter(ctx, 'cat', bucketsOfDays(20, '2026-02-15', { cache_read: null }));
  for (const name of ['anonymous', 'opted-out', 'private']) {
    await aSubmitter(ctx, name, bucketsOfDays(20, '2026-02-15', { model: `of-${name}` }));
  }
  const text = JSON.stringify({
    records: [aRecord({ source: { ...aRecord().source, tool: 'zed' } })],
  });
  await submitRecords(ctx, { operator_id: 2 }, { text, idempotencyKey: undefined });
  store.transaction(() => {
    changeVisibility(ctx, 4, { privacy_mode: 'anonymous' });
    changeVisibility(ctx, 5, { data_opt_out: 1 });
    changeVisibility(ctx, 6, { privacy_mode: 'private' });
    for (const id of [1, 2]) {
      store.operators.setCohort(id, 'makers');
      changeVisibility(ctx, id, { privacy_mode: 'identified' });
    }
  });
  publish(ctx);
  return ctx;
}

/** A folder with the files that the page names. */
async function withFiles(ctx: TestContext) {
  const { store, ruleset, config } = ctx;
  const folder = aDataDir();
  const [counts, log] = [join(folder, 'counts.parquet'), join(folder, 'log.ndjson.gz')];
  const source = { store, baseUrl: config.baseUrl, ruleset: ruleset.id, now: ctx.now() };
  await writeParquet(source, { path: counts, draft: `${counts}.tmp`, over: false });
  const logSource = publicLogSource(store, { baseUrl: config.baseUrl, now: ctx.now() });
  await writePublicLog(logSource, { path: log, draft: `${log}.tmp`, isPacked: true, over: false });
  writeFileSync(
    join(folder, 'corpus.ndjson'),
    [...readCorpus(ctx, CorpusQuery.parse({}))].join(''),
  );
  return aDuckDb(folder);
}

/** The yields that the board shows in its default view, by name. */
function boardYields(ctx: TestContext): Map<string, number | null> {
  const query = LeaderboardQuery.parse({ include: 'unranked', limit: '100' });
  const { entries, unranked = [] } = readLeaderboard(ctx, query);
  return new Map([...entries, ...unranked].map((entry) => [entry.codename, entry.metrics.yield]));
}

test('the table of columns is that of the file', async () => {
  const ask = await withFiles(await aBoard());
  const rows = page.text.matchAll(/^\| (`.+`) +\| `([A-Z]+)` +\|/gm);
  const told = [...rows].flatMap(([, names = '', type]) => {
    return names.split(', ').map((name) => `${name.replaceAll('`', '')} ${type}`);
  });

  const columns = await ask(`DESCRIBE FROM 'counts.parquet'`);

  const names = columns.map((column) => `${column['column_name']} ${column['column_type']}`);
  expect(told.toSorted()).toEqual(names.toSorted());
});

test('every query returns rows', async () => {
  const ask = await withFiles(await aBoard());

  expect(QUERIES).toHaveLength(8);
  for (const query of QUERIES) {
    const rows = await ask(query);
    if (rows.length === 0) throw new Error(`The query returned nothing:\n${query}`);
  }
});

test('the yield of 30 days is the one on the board, for everyone in the file', async () => {
  const ctx = await aBoard();
  const ask = await withFiles(ctx);

  const rows = await ask(queryWith('as_of - 29'));

  const shown = boardYields(ctx);
  expect(rows.map(({ operator }) => operator)).toEqual(['bob', 'ada']);
  for (const { operator, yield: value } of rows) {
    expect(significant(value as number)).toBe(shown.get(operator as string));
  }
  expect(shown.size).toBe(5);
});

test('tokens by tool and week include self-reported counts and several devices', async () => {
  const ask = await withFiles(await aBoard());

  const rows = await ask(queryWith(`date_trunc('week'`));

  const week = rows.filter((row) => row['week'] === '2026-02-23');
  expect(week.map(({ tool, operators, tokens }) => [tool, operators, tokens])).toEqual([
    ['claude-code', '2', String(7 * 1_111_237 + 7 * 111_100)],
    ['codex', '1', String(7 * 1_109_019)],
    ['zed', '1', '1111100'],
    ['amp', '1', '10700'],
  ]);
});

test('medians, distributions and new models name what they group by', async () => {
  const ask = await withFiles(await aBoard());

  const [cohort, ...others] = await ask(queryWith('median_yield'));
  expect(cohort).toMatchObject({ cohort: 'makers', operators: '2' });
  expect(others).toEqual([]);
  const tools = await ask(queryWith('quantile_cont'));
  expect(tools.map(({ tool, operators }) => [tool, operators]).toSorted()).toEqual([
    ['claude-code', '1'],
    ['codex', '1'],
  ]);
  const models = await ask(queryWith('first_day + 30'));
  expect(models).toEqual([
    { model: 'gpt-7', first_day: '2026-03-01', operators: '1' },
    { model: 'claude-opus-5', first_day: '2026-01-30', operators: '3' },
  ]);
});

test('the corpus has the same daily counts', async () => {
  const ask = await withFiles(await aBoard());

  const columns =
    'day, operator, tool, provider, model, trust, input, output, cache_write, cache_read';
  const corpus = queryWith('corpus.ndjson').replace(/;$/, '');
  const inFile = await ask(`SELECT ${columns} FROM 'counts.parquet' ORDER BY ALL`);

  expect(await ask(`SELECT ${columns} FROM (${corpus}) ORDER BY ALL`)).toEqual(inFile);
});
