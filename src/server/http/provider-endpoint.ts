import type { APIRoute } from 'astro';
import * as z from 'zod';
import type { LimitName } from '#core/contract/limits.ts';
import { networkOf } from '../process/rate-limit.ts';
import { signsInElsewhere } from '../identity/provider/board-provider.ts';
import { problemResponse } from './endpoint.ts';
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { type FormPage, refuse } from './request/forms.ts';

/**
 * Serves one of the OpenID provider's own endpoints, which answer with OAuth errors and not with problems.
 *
 * @param policy A further limit, counted by network.
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

/** The provider's error, with an OAuth error code. */
const ProviderError = z.object({ error: z.string(), error_description: z.string().optional() });

/** An authorization that cannot continue. */
interface AuthorizationEnd extends z.infer<typeof ProviderError> {
  /** Where the connected app would receive the error. */
  back?: URL;
}

/** Continues an authorization: redirects the browser, or returns why the authorization ends. */
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

/** Each new authorization is stored for a while, and anyone can begin one. */
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
 * Anyone can register an app, and it gets nothing before a person consents. If a response redirected to the app
 * before that, the board would be an open redirector.
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
