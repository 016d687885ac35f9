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
  /** Whether answers may become streams; the board's never do. */
  responseMode?: ResponseMode;
}

/**
 * Serves MCP without sessions: each message is read once, let in by the gate, and answered by a server
 * of its own. What the gate refuses is told as problem details, all else in the words of the protocol.
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
      // The token comes first: what strangers send stays small.
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

/** Kept by nobody, and compressed: the list of tools is long. Streams are left as they are. */
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
