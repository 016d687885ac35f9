import type { McpServer } from '@modelcontextprotocol/server';
import type { APIRoute } from 'astro';
import { BODY_LIMIT_BYTES, MCP_LIMIT_BYTES } from '#core/contract/limits.ts';
import { encode } from '../http/response/prepared-response.ts';
import { problemResponse } from '../http/endpoint.ts';
import { MethodError } from '../http/routes/methods.ts';
import { chooseEncoding } from '../http/response/send.ts';
import { type Protected, refuseForeign, refuseStranger, tokenHolderOf } from './gate.ts';
import { MEDIA_TYPE, MessageError, readMessage } from './message.ts';
import { type ResponseMode, type Served, transportOf } from './transport.ts';

interface McpOptions {
  serverOf: (served: Served) => McpServer;
  isProtected: Protected;
  /** Whether responses can become streams. Those of the board never do. */
  responseMode?: ResponseMode;
}

/**
 * Serves MCP without sessions. Each message is read once, checked by the gate, and answered by its own server.
 * Errors of the gate are problem details; all others are errors of the protocol.
 */
export function mcpEndpoint({
  serverOf,
  isProtected,
  responseMode = 'json',
}: McpOptions): APIRoute {
  const answer = transportOf(serverOf, responseMode);
  return async (context) => {
    const { request, locals } = context;
    const { ctx, requestId } = locals;
    try {
      if (request.method !== 'POST') throw new MethodError(request.method, ['OPTIONS', 'POST']);
      refuseForeign(ctx, request.headers);
      // Only callers with a valid token can send large messages.
      const caller = await tokenHolderOf(context);
      const message = await readMessage(request, caller ? MCP_LIMIT_BYTES : BODY_LIMIT_BYTES);
      if (!caller) refuseStranger(message, isProtected);
      return await asSent(request, await answer(request, message, { ctx, caller, requestId }));
    } catch (error) {
      if (error instanceof MessageError) return error.response();
      return problemResponse(error, context, { accepts: [MEDIA_TYPE], resource: 'mcp' });
    }
  };
}

/** Forbids caching, and compresses the response. Leaves streams unchanged. */
async function asSent({ headers }: Request, answer: Response): Promise<Response> {
  const type = answer.headers.get('content-type') ?? '';
  if (type !== MEDIA_TYPE) return answer;
  const whole = Buffer.from(await answer.arrayBuffer());
  const { bytes, encoding } = await encode(
    whole,
    type,
    chooseEncoding(headers.get('accept-encoding')),
  );
  answer.headers.set('Cache-Control', 'no-store');
  if (encoding !== 'identity') answer.headers.set('Content-Encoding', encoding);
  return new Response(new Uint8Array(bytes), answer);
}
