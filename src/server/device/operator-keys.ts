import type { OperatorKeys } from '#core/contract/operators.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { SHOWN_KEYS } from '#core/schema/shown.ts';
import type { AppContext } from '../context.ts';
import { publicOperator } from '../publication/read/public-operator.ts';

/**
 * The newest keys of an operator's devices, newest first.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readOperatorKeys(ctx: AppContext, codename: string): OperatorKeys {
  return ctx.store.snapshot(() => {
    const { id } = publicOperator(ctx, codename);
    const keys = ctx.store.devices
      .keysOfOperator(id, SHOWN_KEYS)
      .map((key) => ({ ...key, public_key: toBase64Url(key.public_key) }));
    return { codename, total: ctx.store.devices.keyCounts(id).keys, keys };
  });
}
