import type { AppContext } from '../context.ts';
import { operatorHere } from '../operator/operator.ts';
import { findSharedRecords, sharedRecords } from './shared-counts.ts';

/** A day of a submission that other devices of its owner sent as well. */
export interface OwnSharedDay {
  day: string;
  tokens: number;
  /** The names of these devices. */
  devices: string[];
}

/**
 * The days of a submission that other devices sent as well, newest first, for its owner.
 *
 * @param cookieHeader The `Cookie` header of whoever asks.
 * @returns Null if nobody is signed in, or somebody else than the owner.
 */
export async function findOwnShared(
  ctx: AppContext,
  cookieHeader: string | null,
  id: string,
): Promise<OwnSharedDay[] | null> {
  const operator = await operatorHere(ctx, cookieHeader);
  const row = operator && ctx.store.submissions.byId(id);
  if (!row || row.operator_id !== operator.id) return null;
  await findSharedRecords(ctx, row);
  const byDay = Map.groupBy(sharedRecords(ctx, row), (record) => record.day);
  const days = Array.from(byDay, ([day, records]) => {
    const ids = new Set(records.flatMap(({ devices }) => [...devices]));
    const labels = Array.from(ids, (device) => ctx.store.devices.byId(device)?.label ?? '');
    const tokens = records.reduce((sum, record) => sum + record.tokens, 0);
    return { day, tokens, devices: labels.sort() };
  });
  return days.sort((a, b) => (a.day < b.day ? 1 : -1));
}
