/** A running board behind a proxy that can show another log, signed with the board's own key. */
import { openStore } from '#db/store.ts';
import { databasePath } from '#server/config/config.ts';
import { openBoardKey } from '#server/identity/board-key.ts';
import { openLogKey } from '#server/identity/log-key.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';
import { PATIENCE_MS } from '#tests/support/board/time.ts';
import { type RunningServer, startServer } from '#tests/support/http/server.ts';
import { aStandBetween } from '#tests/support/http/stand-between.ts';
import { LogView, entriesOf } from './log-view.ts';

/** What the board's log shows now, if the board is honest. */
export function viewOf({ dataDir, baseUrl }: Pick<RunningServer, 'baseUrl' | 'dataDir'>): LogView {
  const now = new Date();
  const path = databasePath({ dataDir });
  const store = openStore({
    path,
    migrations: MIGRATIONS,
    now: () => now,
    busyTimeoutMs: PATIENCE_MS,
  });
  try {
    const boardKey = openBoardKey(store, now);
    return new LogView(entriesOf(store), openLogKey(store, { baseUrl, boardKey, now }));
  } finally {
    store.close();
  }
}

/** A board at the address of its proxy. It is honest until `show` is called. */
export async function aLyingBoard() {
  const between = await aStandBetween();
  const server = await startServer({ env: { BASE_URL: between.url } });
  between.forwardTo(server.url);
  return {
    server,
    between,
    url: between.url,
    view: () => viewOf(server),
    /** Answers all requests about the log from a view; null to be honest again. */
    show: (view: LogView | null) => {
      between.replace(({ path }) => view?.answer(between.url + path) ?? null);
    },
  };
}
