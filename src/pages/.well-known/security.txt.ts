import { securityTxt } from '#core/contract/crawlers.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint('text/plain', ({ locals: { ctx } }) => {
  const { contactEmail: contact } = ctx.config.signIn;
  if (contact === null) {
    throw new DomainError('not_found', 'The admin of this board has not set a contact address');
  }
  return securityTxt({ contact, baseUrl: ctx.config.baseUrl, nowMs: ctx.now().getTime() });
});
