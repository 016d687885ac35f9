import type { Counts, CountsQuery, DailyCount } from '#core/contract/counts.ts';
import { fromBase64Url, toBase64Url } from '#core/domain/text/base64.ts';
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import { dayAndTool, sameDevices } from '#core/domain/counting/counting.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey, operatorOf } from '../operator/operator.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { yieldToEventLoop, runYielding } from '../process/yield-to-event-loop.ts';
import { boundedPage, invalidCursor } from '../publication/read/bounded-page.ts';
import { EVER, eachPart } from '../counting/bucket-turns.ts';

type Store = AppContext['store'];
type Filter = Parameters<Store['counts']['page']>[0];
type Place = NonNullable<Parameters<Store['counts']['page']>[1]>;
type Stated = ReturnType<Store['counts']['page']>[number];

/** How many totals are cached. */
const MAX_KEPT = 200;
const totals = new RecentMemo<Store, number>(MAX_KEPT);

/**
 * A page of the daily counts that each of the caller's devices reported, and how much of each one counts. Yields to
 * the event loop for large accounts.
 *
 * @throws {DomainError} `not_found` if the account was deleted, `query_invalid` for an invalid cursor.
 */
export async function readCounts(
  ctx: AppContext,
  { operator_id }: Caller,
  query: CountsQuery,
): Promise<Counts> {
  const { store } = ctx;
  const operator = operatorOf(ctx, operator_id);
  const filter = filterOf(store, operator, query);
  if (filter === null) return { total: 0, entries: [], next_cursor: null };
  const total = await totalOfCounts(store, operator, filter);
  const page = boundedPage(query.limit, (limit) => readPage(store, filter, { ...query, limit }));
  await addSameDevices(store, operator_id, page.entries);
  return { total, ...page };
}

/** Null if the device does not belong to the operator. */
function filterOf(store: Store, { id }: Operator, query: CountsQuery): Filter | null {
  const { device, from = EVER.from, to = EVER.to } = query;
  const found = device === undefined ? null : store.devices.byPublicId(device);
  if (found === undefined || (found && found.operator_id !== id)) return null;
  return { operator_id: id, device_id: found?.id ?? null, from, to };
}

async function totalOfCounts(store: Store, operator: Operator, filter: Filter): Promise<number> {
  const { device_id, from, to } = filter;
  const key = JSON.stringify([changeKey(operator), device_id, from, to]);
  return totals.readLater(store, key, async () => {
    let total = 0;
    const parts = eachPart(store, operator, filter, (part) => {
      total += store.counts.total({ ...part, device_id });
    });
    await runYielding(parts);
    return total;
  });
}

function readPage(store: Store, filter: Filter, { limit, cursor }: CountsQuery) {
  const after = cursor === undefined ? null : placeOf(cursor);
  const rows = store.counts.page(filter, after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: shown.map(entryOf),
    next_cursor: last && rows.length > limit ? cursorOf(last) : null,
  };
}

function entryOf(row: Stated): DailyCount {
  const { device, label, day, tool, provider, model, counted, stated_at, submission } = row;
  const { input, output, cache_write, cache_read, fingerprint = null } = row;
  const pillars = { input, output, cache_write, cache_read };
  const names = { device, label, day, tool, provider, model };
  return { ...names, ...pillars, fingerprint, stated_at, submission, counted, same_as: null };
}

/** Sets `same_as` on entries that count on another device. Yields to the event loop after each day and tool. */
async function addSameDevices(store: Store, operator_id: number, entries: readonly DailyCount[]) {
  const partly = entries.filter((entry) => totalOf(entry.counted) < totalOf(entry));
  const publicIdOf = (id: number) => store.devices.byId(id)?.public_id ?? '';
  for (const group of Map.groupBy(partly, dayAndTool).values()) {
    const [{ day, tool }] = group as [DailyCount];
    const same = sameDevices(store.buckets.group({ operator_id, day, tool }));
    const byKey = new Map(
      Array.from(same, ([bucket, other]) => [keyOf(publicIdOf(bucket.device_id), bucket), other]),
    );
    for (const entry of group) {
      const other = byKey.get(keyOf(entry.device, entry));
      entry.same_as = other === undefined ? null : publicIdOf(other);
    }
    await yieldToEventLoop();
  }
}

function keyOf(device: string, bucket: Parameters<typeof bucketKey>[0]): string {
  return `${device}\n${bucketKey(bucket)}`;
}

/** Names and IDs contain no line feeds, so a line feed separates them. */
function cursorOf({ day, tool, provider, model, device }: Place): string {
  const names = new TextEncoder().encode([tool, provider, model, device].join('\n'));
  return `${day}.${toBase64Url(names)}`;
}

function placeOf(cursor: string): Place {
  const [, day, text] = /^(\d{4}-\d\d-\d\d)\.([\w-]+)$/.exec(cursor) ?? [];
  const bytes = text === undefined ? null : fromBase64Url(text);
  const names = bytes ? new TextDecoder().decode(bytes).split('\n') : [];
  const [tool, provider, model, device, ...more] = names;
  if (!day || !tool || !provider || !model || !device || more.length > 0) throw invalidCursor();
  return { day, tool, provider, model, device };
}
