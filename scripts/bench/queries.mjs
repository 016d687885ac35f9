// Reading boards that nobody has asked for yet, in process: 10,000 operators with 90 days of about 1.3
// buckets. Aim: an uncached filtered query (tool and q, 50 entries) in less than 10 ms.
import { ImprovementsQuery } from '#core/contract/improvements.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { LeadersQuery } from '#core/contract/metrics.ts';
import { OperatorQuery } from '#core/contract/operators.ts';
import { PeersQuery } from '#core/contract/peers.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { Projection } from '#server/publication/projection.ts';
import { publicationOf } from '#server/publication/read/publication.ts';
import { publish } from '#server/publication/publish.ts';
import { readImprovements } from '#server/board/improvements.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMetricLeaders } from '#server/board/metric-leaders.ts';
import { readOperator } from '#server/board/operator.ts';
import { readOperatorPeers } from '#server/board/peers.ts';
import { median, quantile, readOptions, report, round, withFolder } from './lib.mjs';
import { openBoardStore, seedBoard } from './seed.mjs';

const ROUNDS = 200;
const REFRESH_MS = 300_000;
const options = readOptions({ operators: { type: 'string', default: '10000' } });

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  seedBoard(store, { operators: Number(options.operators), days: 90 });
  const yesterday = dayName(dayNumber(utcDay(Date.now())) - 1);
  const projection = new Projection(RULESET);
  publish(store, projection, Date.parse(`${yesterday}T23:59:00Z`));
  const keptMs = timed(() => publish(store, projection, Date.now()));
  const publication = keptMs.result;
  const ctx = () => {
    const current = publicationOf(publication, REFRESH_MS);
    const publications = { current: () => current, byId: () => current };
    return { store, ruleset: RULESET, config: { signIn: { cohorts: [] } }, publications };
  };
  const board = (query) => (of) => readLeaderboard(of, LeaderboardQuery.parse(query));
  const rows = [
    ['first page', board({})],
    ['tool and q', board({ tool: 'codex', q: '77' })],
    [
      'tool, q, unranked, of 100',
      board({ tool: 'codex', q: '7', include: 'unranked', limit: '100' }),
    ],
    ['of a class', board({ class: 'rapids' })],
    ['of a class, tool and q', board({ class: 'rapids', tool: 'codex', q: '77' })],
    ['an operator', (of) => readOperator(of, 'synthetic-000077', OperatorQuery.parse({}))],
    [
      'peers of an operator',
      (of) => readOperatorPeers(of, 'synthetic-000077', PeersQuery.parse({})),
    ],
    [
      'improvements of an operator',
      (of) => readImprovements(of, { operator_id: 77 }, ImprovementsQuery.parse({})),
    ],
    ['leaders by five metrics', (of) => readMetricLeaders(of, LeadersQuery.parse({}))],
    [
      'an operator as of yesterday',
      (of) => readOperator(of, 'synthetic-000077', OperatorQuery.parse({ as_of: yesterday })),
    ],
    ['earlier board, tool and q', board({ tool: 'codex', q: '77', as_of: yesterday })],
  ].map(([query, read]) => ({ query, ...measure(ctx, read) }));
  report(options, `reads of a board of ${options.operators} operators, milliseconds`, rows, {
    'first publication of a day, with keeping the day before, ms': round(keptMs.ms),
  });
  store.close();
});

/** The first read of a publication, and the following ones. */
function measure(makeContext, read) {
  const ctx = makeContext();
  const first = timed(() => read(ctx)).ms;
  const following = Array.from({ length: ROUNDS }, () => timed(() => read(ctx)).ms);
  return {
    first: round(first, 2),
    median: round(median(following), 2),
    p99: round(quantile(following, 0.99), 2),
  };
}

function timed(work) {
  const startedMs = performance.now();
  const result = work();
  return { result, ms: performance.now() - startedMs };
}
