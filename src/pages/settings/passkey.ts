import { DomainError } from '#core/domain/text/errors.ts';
import { sessionCaller } from '#server/http/request/caller.ts';
import { passkeyEndpoint } from '#server/http/passkey-endpoint.ts';

export const POST = passkeyEndpoint(async ({ request, locals: { ctx } }) => {
  const session = await sessionCaller(ctx, request);
  if (!session) throw new DomainError('unauthenticated', 'You are no longer signed in');
  const { operator_id } = session.caller;
  return { action: 'add', purpose: { interaction: null, operator_id } };
});
