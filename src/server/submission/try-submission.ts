import type { SubmissionPreview } from '#core/contract/snapshots.ts';
import type { AppContext } from '../context.ts';
import type { SubmissionResult } from './store-submission.ts';

/** Undoes what was only tried. */
class Undo extends Error {}

/**
 * Stores a submission with all checks, looks at what that came to, and undoes it.
 *
 * @throws {DomainError} what storing it throws.
 */
export async function trySubmission(
  ctx: AppContext,
  store: () => SubmissionResult,
): Promise<SubmissionPreview> {
  const undo = new Undo();
  let preview: SubmissionPreview | undefined;
  const tried = ctx.store.commit(() => {
    preview = previewOf(ctx, store());
    throw undo;
  });
  await tried.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  if (!preview) throw undo;
  return preview;
}

function previewOf(
  { store }: AppContext,
  { created, answer }: SubmissionResult,
): SubmissionPreview {
  const row = store.submissions.byId(answer.id);
  if (!row) throw new Error(`The submission ${answer.id} is not there`);
  const { operator_id, log_index, records, days, first_day, last_day } = row;
  const span = { operator_id, from: first_day, to: last_day, first: log_index, last: log_index };
  return {
    dry_run: true,
    already_stored: !created,
    records,
    counting: store.records.perSubmission(span).get(log_index) ?? 0,
    days,
    first_day,
    last_day,
    tools: JSON.parse(row.tools) as string[],
  };
}
