import type { IncomingMessage } from 'node:http';
import { EXPOSED, type Place, type Treatment } from '../routes/response-policy.ts';

/** What pages of other sites may send that are trusted with a token. */
const SENT = [
  'Authorization',
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

/**
 * What an answer says to a page of another origin that is trusted with a token; nothing to all others,
 * and nothing of cookies, which never come along.
 */
export function originFields(
  { headers: { origin }, method }: IncomingMessage,
  { methods }: Pick<Place, 'methods'>,
  { origins }: Pick<Treatment, 'origins'>,
): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  const read = ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED];
  if (method !== 'OPTIONS') return read;
  const asked = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': SENT,
    'Access-Control-Max-Age': '86400',
  };
  return [...read, ...Object.entries(asked).flat()];
}
