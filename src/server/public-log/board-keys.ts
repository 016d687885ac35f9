import type { BoardKeys } from '#core/contract/keys.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import type { AppContext } from '../context.ts';

/** The key that the board began with: it tells one board from another for as long as that lives. */
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
  return { keys };
}
