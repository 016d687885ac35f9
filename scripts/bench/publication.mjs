// Publishing: 10,000 operators with 90 days of about 1.3 buckets. The built server's first (cold)
// publication and the following ones, each after 1 % of the operators changed; how long its event
// loop was held up meanwhile; its memory; and the phases of the projecting thread, run in-process.
// Aims: under 2 s, event loop never held up for 50 ms. `--operators 100000` for the large board.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { utcDay } from '#core/domain/counting/day.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { Projection } from '#server/publication/projection.ts';
import { packSection } from '#server/publication/read/stored.ts';
import { median, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { bucketsOf, openBoardStore, seedBoard, stateUsage } from './seed.mjs';

const DAYS = 90;
const CHANGED_SHARE = 0.01;
const FOLLOWING = 3;
const PRELOAD = fileURLToPath(new URL('event-loop.mjs', import.meta.url));
const options = readOptions({
  operators: { type: 'string', default: '10000' },
  refresh: { type: 'string', default: '4' },
});

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  const operators = seedBoard(store, { operators: Number(options.operators), days: DAYS });
  const publications = await watchServer(store, dataDir, operators);
  reportPublications(publications);
  reportPhases(timePhases(store, operators));
  store.close();
});

/** The first publication of the server and the following ones, each after some operators changed. */
async function watchServer(store, dataDir, operators) {
  const execArgv = ['--import', PRELOAD];
  const refreshSeconds = Number(options.refresh);
  const board = await startBoard({ dataDir, refreshSeconds, execArgv });
  const loops = [];
  board.events.on('event', (line) => {
    if (line.event === 'event_loop') loops.push({ ...line, atMs: Date.now() });
    else if (line.level === 'error') process.stderr.write(`${line.event}: ${line.error}\n`);
  });
  const publications = [await nextPublication(board, loops)];
  await board.url;
  for (let turn = 1; turn <= FOLLOWING; turn += 1) {
    change(store, operators, turn);
    publications.push(await nextPublication(board, loops));
  }
  await board.stop();
  return publications;
}

/** One publication, with how the event loop fared from its start to its end. */
async function nextPublication({ events }, loops) {
  for (;;) {
    const [line] = await once(events, 'event');
    if (line.event !== 'published') continue;
    const { projected_ms, rendered_ms } = line;
    const startMs = Date.now() - projected_ms - rendered_ms;
    await once(events, 'event');
    const during = loops.filter(({ atMs }) => atMs >= startMs);
    const most = (name) => Math.max(...during.map((loop) => loop[name]));
    return { projected_ms, rendered_ms, held_ms: most('max_ms'), rss_mb: most('rss_mb') };
  }
}

/** Lets some operators' last days grow, in short transactions as submissions are. */
function change(store, operators, turn) {
  const step = Math.round(1 / CHANGED_SHARE);
  for (let index = turn; index < operators.length; index += step) {
    const buckets = bucketsOf(index, DAYS, 1 + turn / 100);
    store.transaction(() => stateUsage(store, operators[index], buckets.slice(-3)));
  }
}

/** What the projecting thread does, in this process: milliseconds of a cold and a following run. */
function timePhases(store, operators) {
  const projection = new Projection(RULESET);
  const cold = runPhases(store, projection);
  change(store, operators, 0);
  return { cold, following: runPhases(store, projection) };
}

function runPhases(store, projection) {
  const as_of = utcDay(Date.now());
  const times = {};
  const timed = (name, work) => {
    const startedMs = performance.now();
    const result = work();
    times[name] = (times[name] ?? 0) + performance.now() - startedMs;
    return result;
  };
  timed('read and stand what changed', () => projection.refresh(store, as_of));
  timed('records and challenges', () => projection.keep(store, new Date().toISOString()));
  const head = { log_index: 1, as_of, ruleset: RULESET.id, generated_at: new Date().toISOString() };
  const id = store.publications.begin(head);
  const put = (section, columns) => {
    const body = timed('pack', () => packSection(columns));
    timed('store', () => store.publications.addSection(id, section, body));
  };
  const boards = timed('shared columns', () => projection.project());
  put('shared', boards.shared);
  for (const slice of boards.slices) {
    for (const window of WINDOWS) {
      const name = `boards of ${slice.tool ?? 'all tools'}`;
      put(
        `${name} ${window}`,
        timed(name, () => boards.board(slice, window)),
      );
    }
  }
  timed('store', () => store.publications.complete(id));
  return times;
}

function reportPublications([first, ...following]) {
  const middle = Object.fromEntries(
    Object.keys(first).map((name) => [name, median(following.map((run) => run[name]))]),
  );
  const worst = Math.max(...following.map(({ held_ms }) => held_ms));
  const row = (publication, run) => ({
    publication,
    'total ms': run.projected_ms + run.rendered_ms,
    'projected ms': run.projected_ms,
    'rendered ms': run.rendered_ms,
    'event loop held up ms': round(run.held_ms, 1),
    'RSS MB': round(run.rss_mb),
  });
  const share = `${100 * CHANGED_SHARE} % changed`;
  const rows = [row('first', first), row(share, { ...middle, held_ms: worst })];
  report(options, `publications of ${options.operators} operators`, rows);
}

function reportPhases({ cold, following }) {
  const rows = Object.keys(cold).map((phase) => ({
    phase,
    'first ms': round(cold[phase]),
    'following ms': round(following[phase]),
  }));
  report(options, 'phases of the projecting thread', rows);
}
