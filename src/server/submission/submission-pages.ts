import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { nullIfRefused, refusalAmong } from '#core/domain/text/errors.ts';
import type { TrustFilter } from '#core/schema/board.ts';
import { Codename, UuidV7 } from '#core/schema/scalars.ts';
import type { Caller } from '#core/schema/account.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import type { AppContext } from '../context.ts';
import { loggedState } from '../counting/submission-state.ts';
import { currentName } from '../operator/codenames.ts';
import { ownSubmission } from './withdraw-submission.ts';
import {
  readSubmission,
  readSubmissions,
  readySubmission,
  readySubmissions,
} from './submissions.ts';

/** The query of the submissions page. Unknown values are ignored. */
interface SubmissionsView {
  /** The operator filter as requested; null for all operators. */
  codename: string | null;
  trust: TrustFilter;
  /** The cursor at the end of the previous page. */
  after: string | null;
}

/** Reads the view from a URL's query. */
export function submissionsViewOf(query: URLSearchParams): SubmissionsView {
  const after = query.get('after') ?? '';
  return {
    codename: query.get('codename')?.trim().toLowerCase() || null,
    trust: query.get('trust') === 'signed' ? 'signed' : 'all',
    after: /^[1-9]\d{0,14}$/.test(after) ? after : null,
  };
}

/** A page of submissions. Null if no operator with the requested name has a public page. */
export async function findSubmissions(
  ctx: AppContext,
  { codename: asked, trust, after }: SubmissionsView,
) {
  const codename = asked === null ? null : currentName(ctx, asked);
  if (codename !== null && !Codename.safeParse(codename).success) return null;
  const given = { trust, ...(codename && { codename }), ...(after && { cursor: after }) };
  const query = SubmissionsQuery.parse(given);
  try {
    await readySubmissions(ctx, query);
    return { codename, ...readSubmissions(ctx, query) };
  } catch (error) {
    refusalAmong(error, 'not_found');
    return null;
  }
}

/** One submission; null if there is none that the public may see. */
export async function findSubmission(
  ctx: AppContext,
  id: string,
): Promise<SubmissionDetail | null> {
  if (!UuidV7.safeParse(id).success) return null;
  await readySubmission(ctx, id);
  return nullIfRefused(() => readSubmission(ctx, id), 'not_found');
}

/**
 * A submission of the caller, and whether its device is marked as compromised, in which case it cannot be restored.
 * Null if the caller has no submission with this ID.
 */
export async function findOwnSubmission(ctx: AppContext, caller: Caller, id: string) {
  if (!UuidV7.safeParse(id).success) return null;
  const own = nullIfRefused(() => ownSubmission(ctx, caller, id), 'not_found');
  if (!own) return null;
  await readySubmission(ctx, id);
  const { isCompromised } = loggedState(ctx.store, own);
  return { submission: readSubmission(ctx, id, caller), isCompromised };
}
