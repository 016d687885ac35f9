import { protocolDocument } from '#core/contract/protocol.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint('application/schema+json', ({ locals: { ctx } }) => {
  return `${JSON.stringify(protocolDocument(ctx.config.baseUrl), null, 2)}\n`;
});
