import { PROTOCOL_VECTORS } from '#core/contract/protocol.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint('application/json', () => {
  return `${JSON.stringify(PROTOCOL_VECTORS, null, 2)}\n`;
});
