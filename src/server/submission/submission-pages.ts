import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { nullIfRefused, refusalAmong } from '#core/domain/text/errors.ts';
import type { TrustFilter } from '#core/schema/board.ts';
import { Codename, UuidV7 } from '#core/schema/scalars.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import { currentName } from '../operator/codenames.ts';
import type { AppContext } from '../context.ts';
import {
  readSubmission,
  readSubmissions,
  readySubmission,
  readySubmissions,
} from './submissions.ts';

/** What the page of submissions is asked for; what it does not know is left out. */
export interface SubmissionsView {
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
