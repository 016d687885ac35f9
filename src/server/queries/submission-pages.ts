import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { nullIfRefused } from '#core/domain/errors.ts';
import type { TrustFilter } from '#core/schema/board.ts';
import { Codename, UuidV7 } from '#core/schema/scalars.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import { currentName } from '../codenames.ts';
import type { AppContext } from '../context.ts';
import { readSubmission, readSubmissions } from './submissions.ts';

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

/** A page of submissions; null where nobody of the name that is asked for has a page. */
export function findSubmissions(
  ctx: AppContext,
  { codename: asked, trust, after }: SubmissionsView,
) {
  const codename = asked === null ? null : currentName(ctx, asked);
  if (codename !== null && !Codename.safeParse(codename).success) return null;
  const query = { trust, ...(codename && { codename }), ...(after && { cursor: after }) };
  return nullIfRefused(
    () => ({ codename, ...readSubmissions(ctx, SubmissionsQuery.parse(query)) }),
    'not_found',
  );
}

/** One submission; null if there is none that everybody may see. */
export function findSubmission(ctx: AppContext, id: string): SubmissionDetail | null {
  return UuidV7.safeParse(id).success
    ? nullIfRefused(() => readSubmission(ctx, id), 'not_found')
    : null;
}
