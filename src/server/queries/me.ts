import type { Me, MyStanding } from '#core/contract/me.ts';
import { WINDOWS } from '#core/domain/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from '../device.ts';
import { type Operator, operatorOf } from '../operator.ts';
import { avatarUrl } from '../profile.ts';
import type { Publication } from '../publication/publication.ts';
import { currentPublication } from './current-publication.ts';
import { ownStandings } from './own-standing.ts';

/** The caller's own standing by yield in every window. */
export function readMe(ctx: AppContext, { operator_id, device_id }: Caller): Me {
  const operator = operatorOf(ctx, operator_id);
  const device = device_id === null ? undefined : ctx.store.devices.byId(device_id);
  const publication = currentPublication(ctx);
  const { codename, display_name, privacy_mode } = operator;
  return {
    codename,
    display_name,
    avatar_url: avatarUrl(ctx, operator),
    privacy_mode,
    device: device ? deviceOf(device) : null,
    log_index: publication.log_index,
    generated_at: publication.generated_at,
    next_refresh_at: publication.next_refresh_at,
    standings: standingsOf(ctx, publication, operator),
  };
}

function standingsOf(ctx: AppContext, publication: Publication, operator: Operator): MyStanding[] {
  const { id, public_name } = operator;
  if (public_name === null) return ownStandings(ctx, publication, id);
  return WINDOWS.flatMap((window) => standingOf(publication, window, public_name));
}

function standingOf(publication: Publication, window: WindowName, name: string): MyStanding[] {
  const board = publication.window(window);
  const found = board.find('yield', name);
  if (!found) return [];
  const { metrics } = found;
  const total = board.total('yield');
  return 'rank' in found
    ? [{ window, metrics, rank: found.rank, total, reasons: [] }]
    : [{ window, metrics, rank: null, total, reasons: found.reasons }];
}
