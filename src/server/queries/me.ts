import type { Me, MyStanding } from '#core/contract/me.ts';
import { DomainError } from '#core/domain/errors.ts';
import { WINDOWS } from '#core/domain/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from '../device.ts';
import type { Publication } from '../publication/publication.ts';
import { currentPublication } from './current-publication.ts';

/** The caller's own standing by yield in every window. */
export function readMe(ctx: AppContext, { operator_id, device_id }: Caller): Me {
  const operator = ctx.store.operators.byId(operator_id);
  if (!operator) throw new DomainError('not_found', 'The account was deleted');
  const device = device_id === null ? undefined : ctx.store.devices.byId(device_id);
  const publication = currentPublication(ctx);
  const { codename } = operator;
  return {
    codename,
    device: device ? deviceOf(device) : null,
    log_index: publication.log_index,
    generated_at: publication.generated_at,
    next_refresh_at: publication.next_refresh_at,
    standings: WINDOWS.flatMap((window) => standingOf(publication, window, codename)),
  };
}

function standingOf(publication: Publication, window: WindowName, codename: string): MyStanding[] {
  const board = publication.window(window);
  const found = board.find('yield', codename);
  if (!found) return [];
  const { metrics } = found;
  const total = board.total('yield');
  return 'rank' in found
    ? [{ window, metrics, rank: found.rank, total, reasons: [] }]
    : [{ window, metrics, rank: null, total, reasons: found.reasons }];
}
