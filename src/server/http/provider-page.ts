import * as z from 'zod';
import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';
import { problemResponse } from './endpoint.ts';
import type { FormPage } from './forms.ts';

/** Why the provider cannot go on, as OAuth names it. */
const ProviderError = z.object({ error: z.string(), error_description: z.string().optional() });
export type ProviderError = z.infer<typeof ProviderError>;

/** Lets the provider go on with an authorization: it sends the browser on, or says why not. */
export async function authorize(page: FormPage): Promise<Response | ProviderError> {
  const { locals, request, response } = page;
  const { answer } = locals.ctx.provider;
  if (!answer) return problemResponse(ownedElsewhere(locals.ctx), page);
  const answered = await answer(request, locals.client);
  if (answered.status < 400) {
    answered.headers.set('Referrer-Policy', 'no-referrer');
    return answered;
  }
  const said = ProviderError.safeParse(await answered.json().catch(() => null));
  response.status = answered.status;
  return said.data ?? { error: 'server_error' };
}

/** Why nothing answers at the provider's addresses. */
export function ownedElsewhere({ provider }: AppContext): DomainError {
  return new DomainError('not_found', `${provider.issuer} does the signing in for this board`);
}
