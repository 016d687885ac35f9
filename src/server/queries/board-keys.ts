import type { BoardKeys } from '#core/contract/keys.ts';
import { toBase64Url } from '#core/domain/base64.ts';
import type { AppContext } from '../context.ts';

export function readBoardKeys(ctx: AppContext): BoardKeys {
  const keys = ctx.store.boardKeys.all().map(({ keyid, public_key, log_index, created_at }) => ({
    keyid,
    public_key: toBase64Url(public_key),
    log_index,
    valid_from: created_at,
  }));
  return { keys };
}
