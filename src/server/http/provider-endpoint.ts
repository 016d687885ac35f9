import type { APIRoute } from 'astro';
import * as z from 'zod';
import type { LimitName } from '#core/contract/limits.ts';
import { networkOf } from '../process/rate-limit.ts';
import { signsInElsewhere } from '../identity/provider/board-provider.ts';
import { problemResponse } from './endpoint.ts';
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { type FormPage, refuse } from './request/forms.ts';

/**
 * Serves one of the provider's own addresses, which answers as OAuth says and not with problems.
 *
 * @param policy What requests count against besides, by network.
 */
export function providerEndpoint(policy?: LimitName): APIRoute {
  return async (context) => {
    const { ctx, client } = context.locals;
    try {
      if (policy) ctx.limiter.take(policy, networkOf(client));
      const { answer } = ctx.provider;
      if (!answer) throw signsInElsewhere(ctx.provider);
      return await answer(context.request, client);
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}

/** Why the provider cannot go on, as OAuth names it. */
const ProviderError = z.object({ error: z.string(), error_description: z.string().optional() });

/** An authorization that ends here. */
interface AuthorizationEnd extends z.infer<typeof ProviderError> {
  /** Where the application would be told so. */
  back?: URL;
}

/** Lets the provider go on with an authorization: it sends the browser on, or says why not. */
export async function authorize(page: FormPage): Promise<Response | AuthorizationEnd> {
  const { locals, request, response } = page;
  const { provider } = locals.ctx;
  const { answer } = provider;
  if (!answer) return problemResponse(signsInElsewhere(provider), page);
  const begins = new URL(request.url).pathname === '/oauth/authorize';
  const tooMany = begins ? countBeginning(page) : null;
  if (tooMany) return tooMany;
  const answered = await answer(request, locals.client);
  if (answered.status < 400) {
    const end = begins ? endElsewhere(answered, locals.ctx.config.baseUrl) : null;
    if (end) response.status = 400;
    else answered.headers.set('Referrer-Policy', 'no-referrer');
    return end ?? answered;
  }
  const said = ProviderError.safeParse(await answered.json().catch(() => null));
  response.status = answered.status;
  return said.data ?? { error: 'server_error' };
}

/** Each one that begins is kept for a while, and anybody may begin. */
function countBeginning(page: FormPage): AuthorizationEnd | null {
  const { ctx, client } = page.locals;
  try {
    ctx.limiter.take('authorize', client);
    return null;
  } catch (error) {
    return { error: 'temporarily_unavailable', error_description: refuse(page, error).detail };
  }
}

/**
 * Anybody may register an application, and none gets anything before a person was asked: an answer that
 * sends the browser to one at once would only make the board's name lead to any address.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9700#section-4.11.2 | RFC 9700, section 4.11.2}
 */
function endElsewhere({ headers }: Response, baseUrl: string): AuthorizationEnd | null {
  const back = new URL(headers.get('location') ?? '', baseUrl);
  if (back.origin === new URL(baseUrl).origin || isLoopbackUrl(back.href)) return null;
  const told = new URLSearchParams(back.search || back.hash.slice(1));
  const said = ProviderError.safeParse(Object.fromEntries(told));
  return { ...(said.data ?? { error: 'server_error' }), back };
}
