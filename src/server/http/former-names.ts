import type { APIContext } from 'astro';
import { DomainError } from '#core/domain/errors.ts';
import { formerName } from '../codenames.ts';

/**
 * Where what was not found stands now, if its address names an operator who has another codename since;
 * null otherwise.
 */
export function movedResponse(
  error: unknown,
  { params, url, locals }: Pick<APIContext, 'locals' | 'params' | 'url'>,
): Response | null {
  const { codename } = params;
  if (codename === undefined || !(error instanceof DomainError)) return null;
  const name = error.code === 'not_found' ? formerName(locals.ctx, codename) : null;
  if (name === null) return null;
  const path = url.pathname.replace(`/operators/${codename}`, `/operators/${name}`);
  const headers = { Location: path + url.search, 'Cache-Control': 'no-store' };
  return new Response(null, { status: 307, headers });
}
