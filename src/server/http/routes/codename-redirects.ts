import type { APIContext } from 'astro';
import { DomainError } from '#core/domain/text/errors.ts';
import { nameMeant } from '#server/operator/codenames.ts';

/**
 * Redirects a request that failed because it has an operator's former codename, or a codename in capitals, in its
 * path or query. Returns null if the name leads nowhere.
 */
export function movedResponse(
  error: unknown,
  { params, url, locals }: Pick<APIContext, 'locals' | 'params' | 'url'>,
): Response | null {
  if (!(error instanceof DomainError) || error.code !== 'not_found') return null;
  const { codename } = params;
  const asked = codename ?? url.searchParams.get('codename');
  const name = asked === null ? null : nameMeant(locals.ctx, asked);
  if (name === null) return null;
  const location =
    codename === undefined ? withQueryName(url, name) : withPathName(url, codename, name);
  return redirectTo(location);
}

/** Redirects to the current address of the same page. Caches must not keep that, because names change. */
export function redirectTo(location: string): Response {
  const headers = { Location: location, 'Cache-Control': 'no-store' };
  return new Response(null, { status: 307, headers });
}

function withPathName({ pathname, search }: URL, codename: string, name: string): string {
  return pathname.replace(`/operators/${codename}`, `/operators/${name}`) + search;
}

function withQueryName({ pathname, searchParams }: URL, name: string): string {
  const query = new URLSearchParams(searchParams);
  query.set('codename', name);
  return `${pathname}?${query}`;
}
