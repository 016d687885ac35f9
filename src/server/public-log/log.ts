import type { Log, LogQuery, BoardKeys } from '#core/contract/log.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { LOG_HEAD_PAYLOAD_TYPE, type SignedLogHead } from '#core/schema/log.ts';
import { LOG_KEY_PAYLOAD_TYPE, LogKeyStatement } from '#core/schema/log-payload.ts';
import { Envelope } from '#core/schema/snapshot.ts';
import type { AppContext } from '../context.ts';
import { readIndexCursor } from '#server/publication/read/bounded-page.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJsonBytes } from '#core/domain/text/json.ts';

type BoardKey = AppContext['boardKey'];

/** The last head that each key signed, because most readers ask for the same one. */
const signedHeads = new WeakMap<BoardKey, SignedLogHead>();

/**
 * A page of the log, oldest first, with its signed head.
 *
 * @throws {DomainError} `query_invalid` for a cursor from another list.
 */
export function readLog({ store, boardKey }: AppContext, query: LogQuery): Log {
  const { since, limit, cursor } = query;
  const after = cursor === undefined ? since : Math.max(since, readIndexCursor(cursor));
  return store.snapshot(() => {
    const head = store.log.head();
    if (!head) throw new Error('A running board must have log entries');
    const entries = store.log.after(after, limit);
    const last = entries.at(-1)?.log_index ?? head.index;
    return {
      head: signedHead(boardKey, head.index, head.entry_hash),
      total: Math.max(0, head.index - since),
      entries,
      next_cursor: last < head.index ? String(last) : null,
    };
  });
}

function signedHead(boardKey: BoardKey, log_index: number, entry_hash: string): SignedLogHead {
  const known = signedHeads.get(boardKey);
  if (known?.entry_hash === entry_hash) return known;
  const payload = new TextEncoder().encode(JSON.stringify({ log_index, entry_hash }));
  const signature = boardKey.seal(LOG_HEAD_PAYLOAD_TYPE, payload);
  const head = { log_index, entry_hash, signature };
  signedHeads.set(boardKey, head);
  return head;
}

/** The board's first key, which identifies the board permanently. */
export function readFirstKey({ store }: AppContext): string {
  return store.boardKeys.all().at(-1)?.keyid ?? '';
}

export function readBoardKeys(ctx: AppContext): BoardKeys {
  const keys = ctx.store.boardKeys.all().map(({ keyid, public_key, log_index, created_at }) => ({
    keyid,
    public_key: toBase64Url(public_key),
    log_index,
    valid_from: created_at,
  }));
  return { keys, log_key: readLogKey(ctx) };
}

function readLogKey({ store }: AppContext): BoardKeys['log_key'] {
  const entry = store.log.lastOfKind('log-key');
  if (!entry?.payload) return null;
  const statement = Envelope.parse(parseJsonBytes(entry.payload));
  const { payload } = takeApart(statement, LOG_KEY_PAYLOAD_TYPE);
  const { vkey } = LogKeyStatement.parse(parseJsonBytes(payload));
  return { vkey, statement };
}

type OpenLog = NonNullable<ReturnType<AppContext['publicLog']['open']>>;

/**
 * Opens the public log's file.
 *
 * @throws {DomainError} `service_unavailable` while it is being written.
 */
export function openPublicLog({ publicLog }: AppContext): OpenLog {
  return openNow(publicLog.open());
}

/**
 * Opens the public log without its entries.
 *
 * @throws {DomainError} `service_unavailable` while it is being written.
 */
export function openPublicBoards({ publicLog }: AppContext): OpenLog {
  return openNow(publicLog.openBoards());
}

function openNow(open: OpenLog | null): OpenLog {
  if (open) return open;
  throw new DomainError('service_unavailable', 'The public log is being written. Try again later');
}
