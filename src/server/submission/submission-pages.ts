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

/** What the page of submissions is asked for; what it does not know is left out. */
interface SubmissionsView {
  /** The only operator whose they are, as was asked for; null for everybody. */
  codename: string | null;
  trust: TrustFilter;
  /** Where the page before ended. */
  after: string | null;
}

/** What an address asks for. */
export function submissionsViewOf(query: URLSearchParams): SubmissionsView {
  const after = query.get('after') ?? '';
  return {
    codename: query.get('codename')?.trim().toLowerCase() || null,
    trust: query.get('trust') === 'signed' ? 'signed' : 'all',
    after: /^[1-9]\d{0,14}$/.test(after) ? after : null,
  };
}

/** A page of submissions, counted in turns; null where nobody of the name that is asked for has a page. */
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

/** One submission; null if there is none that everybody may see. */
export async function findSubmission(
  ctx: AppContext,
  id: string,
): Promise<SubmissionDetail | null> {
  if (!UuidV7.safeParse(id).success) return null;
  await readySubmission(ctx, id);
  return nullIfRefused(() => readSubmission(ctx, id), 'not_found');
}

/**
 * A submission of the caller, and whether its device was marked as compromised: then it cannot be restored. Null if
 * the caller has none of this ID.
 */
export async function findOwnSubmission(ctx: AppContext, caller: Caller, id: string) {
  if (!UuidV7.safeParse(id).success) return null;
  const own = nullIfRefused(() => ownSubmission(ctx, caller, id), 'not_found');
  if (!own) return null;
  await readySubmission(ctx, id);
  const { isCompromised } = loggedState(ctx.store, own);
  return { submission: readSubmission(ctx, id, caller), isCompromised };
}
