/** Options for passkeys, which the script of a form requests before it asks the browser for a passkey. */
import type { APIContext, APIRoute } from 'astro';
import { beginPasskey } from '#server/identity/sign-in/begin-passkey.ts';
import { problemResponse } from './endpoint.ts';
import { readPageForm } from './request/body.ts';
import { refuseCrossSite } from './request/cross-site.ts';

type PasskeyRequest = Omit<Parameters<typeof beginPasskey>[1], 'cookieHeader'>;

/** @param requestOf What the visitor asks for, from the submitted form. */
export function passkeyEndpoint(
  requestOf: (context: APIContext, form: FormData) => Promise<PasskeyRequest> | PasskeyRequest,
): APIRoute {
  return async (context) => {
    const { request, locals } = context;
    const { ctx, client } = locals;
    try {
      refuseCrossSite(request.headers, ctx.config.baseUrl);
      if (locals.refusedBody) throw locals.refusedBody;
      const wanted = await requestOf(context, await readPageForm(request));
      ctx.limiter.take('login', client);
      const cookieHeader = request.headers.get('cookie');
      const { options, cookies } = await beginPasskey(ctx, { ...wanted, cookieHeader });
      const response = Response.json(options, { headers: { 'Cache-Control': 'no-store' } });
      cookies.forEach((cookie) => response.headers.append('Set-Cookie', cookie));
      return response;
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}
