import type { APIRoute } from 'astro';
import { securityTxt } from '#core/contract/security-txt.ts';
import { DomainError } from '#core/domain/errors.ts';
import { problemResponse } from '#server/http/endpoint.ts';

export const GET: APIRoute = (context) => {
  const { config, now } = context.locals.ctx;
  const { contactEmail: contact } = config.signIn;
  if (contact === null) {
    const error = new DomainError('not_found', 'The keeper of this board gave no address');
    return problemResponse(error, context);
  }
  const text = securityTxt({ contact, baseUrl: config.baseUrl, nowMs: now().getTime() });
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  };
  return new Response(text, { headers });
};
