import type { OperatorRecords, RecordsQuery } from '#core/contract/operators.ts';
import { fromBase64Url, toBase64Url } from '#core/domain/text/base64.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { AppContext } from '../context.ts';
import { boundedPage, invalidCursor } from '../publication/read/bounded-page.ts';
import { publicOperator } from '#server/publication/read/current-publication.ts';
import { countingTotal } from '../publication/read/recent-days.ts';

type RecordPlace = NonNullable<Parameters<AppContext['store']['records']['page']>[1]>;

/** Prepares the data for {@linkcode readOperatorRecords}. Yields to the event loop. */
export async function readyOperatorRecords(ctx: AppContext, codename: string): Promise<void> {
  await countingTotal(ctx, publicOperator(ctx, codename)).ready();
}

/**
 * A page of an operator's counted records, newest day first.
 *
 * @throws {DomainError} `not_found` if there is no such operator, `query_invalid` for a foreign cursor.
 */
export function readOperatorRecords(
  ctx: AppContext,
  codename: string,
  query: RecordsQuery,
): OperatorRecords {
  return boundedPage(query.limit, (limit) => readPage(ctx, codename, { ...query, limit }));
}

function readPage(ctx: AppContext, codename: string, { limit, cursor }: RecordsQuery) {
  const { records, snapshot } = ctx.store;
  const after = cursor === undefined ? null : placeOf(cursor);
  return snapshot(() => {
    const operator = publicOperator(ctx, codename);
    const buckets = records.page(operator.id, after, limit + 1);
    const shown = buckets.slice(0, limit);
    const last = shown.at(-1);
    return {
      codename,
      total: countingTotal(ctx, operator).read(),
      entries: shown.map(composeRecord),
      next_cursor: last && buckets.length > limit ? cursorOf(last) : null,
    };
  });
}

/** Joins the three labels with line feeds, which labels cannot contain. */
function cursorOf({ day, log_index, tool, provider, model }: RecordPlace): string {
  const labels = new TextEncoder().encode([tool, provider, model].join('\n'));
  return `${day}.${log_index}.${toBase64Url(labels)}`;
}

function placeOf(cursor: string): RecordPlace {
  const [, day, index, text] = /^(\d{4}-\d\d-\d\d)\.(\d{1,15})\.([\w-]+)$/.exec(cursor) ?? [];
  const bytes = text === undefined ? null : fromBase64Url(text);
  const labels = bytes ? new TextDecoder().decode(bytes).split('\n') : [];
  const [tool, provider, model, ...more] = labels;
  if (!day || !tool || !provider || !model || more.length > 0) throw invalidCursor();
  return { day, log_index: Number(index), tool, provider, model };
}
