import { MAX_WITHDRAWN, type Me, type MyOperator } from '#core/contract/me.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MyStanding } from '#core/schema/my-standing.ts';
import { SNAPSHOT_PAYLOAD_TYPES } from '#core/schema/snapshot.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { deviceOf, fingerprintKey } from '#server/device/devices.ts';
import { operatorOf } from '../operator/operator.ts';
import { avatarUrl } from '../operator/profile.ts';
import type { Publication } from '../publication/read/publication.ts';
import {
  classByTool,
  type OwnStandings,
  ownStandings,
  readyOwnStandings,
} from './your-standing.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { readNotices } from '../submission/notices.ts';
import { sharedDays } from '../submission/shared-counts.ts';

/** Prepares the data for {@linkcode readMe}. Yields to the event loop. */
export async function readyMe(ctx: AppContext, { operator_id }: Caller): Promise<void> {
  await readyOwnStandings(ctx, operator_id);
  await sharedDays(ctx, operatorOf(ctx, operator_id)).ready();
}

/** {@linkcode readMyOperator} with what submitting programs need: withdrawn submissions and, for a device, the account's fingerprint key. */
export function readMe(ctx: AppContext, caller: Caller): Me {
  const { operator_id, device_id } = caller;
  const me = readMyOperator(ctx, caller);
  const fingerprint_key =
    device_id === null ? null : fingerprintKey(ctx, operatorOf(ctx, operator_id));
  const withdrawn = ctx.store.submissions.withdrawn({
    operator_id,
    device_id,
    limit: MAX_WITHDRAWN,
  });
  return { ...me, fingerprint_key, snapshot_types: [...SNAPSHOT_PAYLOAD_TYPES], withdrawn };
}

/** The caller's standing by yield in every window, for all tools together and for each tool. */
export function readMyOperator(ctx: AppContext, { operator_id, device_id }: Caller): MyOperator {
  const operator = operatorOf(ctx, operator_id);
  const device = device_id === null ? undefined : ctx.store.devices.byId(device_id);
  const publication = currentPublication(ctx);
  const { codename, display_name, privacy_mode, public_name } = operator;
  const standings =
    public_name === null
      ? ownStandings(ctx, publication, operator).read()
      : publicStandings(publication, public_name);
  return {
    codename,
    display_name,
    avatar_url: avatarUrl(ctx, operator),
    privacy_mode,
    class_tier: publication.operators.classOf(public_name),
    records_held: public_name === null ? [] : publication.records.heldBy(public_name),
    device: device ? deviceOf(device) : null,
    log_index: publication.log_index,
    generated_at: publication.generated_at,
    next_refresh_at: publication.next_refresh_at,
    ...standings,
    shared: sharedDays(ctx, operator).read(),
    device_count: ctx.store.devices.total(operator_id),
    notices: readNotices(ctx, operator),
  };
}

function publicStandings(publication: Publication, name: string): OwnStandings {
  const ofTool = (tool: string | null) =>
    WINDOWS.flatMap((window) => standingOf(publication, { window, tool }, name));
  return {
    standings: ofTool(null),
    tools: classByTool(publication, name).map((used) => {
      return { ...used, standings: used.has_board ? ofTool(used.tool) : [] };
    }),
  };
}

function standingOf(
  publication: Publication,
  { window, tool }: { window: WindowName; tool: string | null },
  name: string,
): MyStanding[] {
  const board = publication.window(window, { ...DEFAULT_SLICE, tool });
  const found = board.find('yield', name);
  if (!found) return [];
  const { metrics, conservative, interval } = found;
  const measured = { window, metrics, conservative, interval, total: board.total('yield') };
  if ('reasons' in found) {
    const { reasons } = found;
    return [{ ...measured, rank: null, rank_range: null, movement: null, reasons }];
  }
  const { rank, rank_range, movement } = found;
  return [{ ...measured, rank, rank_range, movement, reasons: [] }];
}
