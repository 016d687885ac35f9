/** What stands before the MCP server: who may speak to it from where, and who calls. */
import type { APIContext } from 'astro';
import * as z from 'zod';
import { DomainError } from '#core/domain/errors.ts';
import { LOOPBACK_NAMES } from '#core/domain/loopback.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { bearerOf } from '../http/bearer.ts';
import { tokenHolder } from '../token-holder.ts';

/** Names of the tools that need an operator. */
export type Protected = (tool: string) => boolean;

/** The part of a message that says what it asks for. */
const ToolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/**
 * Who calls by a message, or null where anyone may.
 *
 * @param message The body, parsed.
 * @throws {DomainError} `host_not_allowed`, `origin_not_allowed`, `unauthenticated`, `token_invalid` or
 *   `insufficient_scope`.
 */
export async function callerOf(
  { request, locals: { ctx } }: Pick<APIContext, 'locals' | 'request'>,
  message: unknown,
  isProtected: Protected,
): Promise<Caller | null> {
  refuseForeign(ctx, request.headers);
  if (request.headers.has('authorization')) {
    const { operator_id, scopes } = await tokenHolder(ctx, bearerOf(request), 'mcp');
    return { operator_id, device_id: null, scopes };
  }
  const { data: call } = ToolCall.safeParse(message);
  if (call && isProtected(call.params.name)) {
    throw new DomainError(
      'unauthenticated',
      `The tool ${call.params.name} needs a signed-in operator`,
    );
  }
  return null;
}

/**
 * A page of another site must not speak for whoever looks at it, nor through a name that it made lead here.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports | Security warning of the transport}
 */
function refuseForeign({ config }: AppContext, headers: Headers): void {
  const { host, hostname, origin } = new URL(config.baseUrl);
  const asked = headers.get('host') ?? host;
  const isNamed = asked === host || (LOOPBACK_NAMES.includes(hostname) && isLoopback(asked));
  if (!isNamed) throw new DomainError('host_not_allowed', `This is ${host}`);
  const from = headers.get('origin');
  if (from === null || from === origin || config.agents.mcpOrigins.includes(from)) return;
  throw new DomainError('origin_not_allowed', 'Pages of this origin may not call the MCP server');
}

function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.some((name) => host === name || host.startsWith(`${name}:`));
}
