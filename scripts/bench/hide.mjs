// Hiding: how long the answer to a switch of the privacy mode and to a deletion takes on a board of
// 10,000 operators with 90 days each, since it comes when nobody can read what was hidden; alone and ten
// at once. Beside it, the longest that the event loop was held up.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { median, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { openBoardStore, seedBoard } from './seed.mjs';

const DAYS = 90;
const AT_ONCE = 10;
const PRELOAD = fileURLToPath(new URL('event-loop.mjs', import.meta.url));
const options = readOptions({
  operators: { type: 'string', default: '10000' },
  turns: { type: 'string', default: '5' },
});

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  const seeded = seedBoard(store, { operators: Number(options.operators), days: DAYS });
  const accounts = seeded
    .slice(0, 2 * AT_ONCE)
    .map(({ operator_id }) => signIn(store, operator_id));
  const board = await startBoard({ dataDir, execArgv: ['--import', PRELOAD] });
  let held = 0;
  board.events.on('event', (line) => {
    if (line.event === 'event_loop') held = Math.max(held, line.max_ms);
    else if (line.level === 'error') process.stderr.write(`${line.event}: ${line.error}\n`);
  });
  const url = await board.url;
  held = 0;
  const rows = [];
  const measure = async (write, work) => {
    const times = [];
    for (let turn = 0; turn < Number(options.turns); turn += 1) times.push(...(await work(turn)));
    rows.push({ write, 'median ms': round(median(times)), 'worst ms': round(Math.max(...times)) });
  };
  const modes = ['private', 'pseudonymous'];
  await measure('switch', async (turn) => [
    await post(url, '/api/v1/profile', accounts[0], { privacy_mode: modes[turn % 2] }),
  ]);
  await measure(`${AT_ONCE} switches at once`, (turn) => {
    const all = accounts.slice(0, AT_ONCE);
    const mode = { privacy_mode: modes[(turn + 1) % 2] };
    return Promise.all(all.map((account) => post(url, '/api/v1/profile', account, mode)));
  });
  await measure('deletion', async (turn) => {
    const account = accounts[AT_ONCE + turn];
    return [await post(url, '/api/v1/account/delete', account, { confirm: account.codename })];
  });
  await board.stop();
  report(options, `hiding, of ${options.operators} operators`, rows, {
    'event loop held up ms': held,
  });
  store.close();
});

/** A session, made as the server would make it. */
function signIn(store, operator_id) {
  const id = randomBytes(20).toString('hex');
  const now = new Date();
  store.sessions.add({
    id_hash: createHash('sha256').update(id).digest('hex'),
    operator_id,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
    public_id: randomUUID(),
    method: null,
    label: null,
    last_seen_at: now.toISOString(),
  });
  return { cookie: `session=${id}`, codename: store.operators.byId(operator_id).codename };
}

/** How long the answer took, in milliseconds. */
async function post(url, path, { cookie }, body) {
  const startedMs = performance.now();
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - startedMs;
}
