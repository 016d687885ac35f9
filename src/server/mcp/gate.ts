/** What stands before the MCP server: who may speak to it from where, and who calls. */
import type { APIContext } from 'astro';
import * as z from 'zod';
import { DomainError } from '#core/domain/text/errors.ts';
import { isOtherName } from '#core/domain/account/loopback.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { tokenCaller } from '../http/request/caller.ts';

/** Names of the tools that need an operator. */
export type Protected = (tool: string) => boolean;

/** The part of a message that says what it asks for. */
const ToolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/**
 * Whose token a request carries, or null if it carries none. A token is looked at wherever one is sent:
 * whoever shows one that does not hold should hear of it.
 *
 * @throws {DomainError} `unauthenticated`, `token_invalid`, `insufficient_scope`, or `credential_unsuitable` for
 *   the token of a device, which names another request, and of the companion site, which serves for peers.
 */
export async function tokenHolderOf({
  request,
  locals: { ctx },
}: Pick<APIContext, 'locals' | 'request'>): Promise<Caller | null> {
  if (!request.headers.has('authorization')) return null;
  return tokenCaller(ctx, request, ['bearer'], 'mcp');
}

/**
 * Refuses a message without a token that calls what needs an operator.
 *
 * @param message The body, parsed.
 * @throws {DomainError} `unauthenticated`.
 */
export function refuseStranger(message: unknown, isProtected: Protected): void {
  const { data: call } = ToolCall.safeParse(message);
  if (!call || !isProtected(call.params.name)) return;
  throw new DomainError(
    'unauthenticated',
    `The tool ${call.params.name} needs a signed-in operator`,
  );
}

/**
 * A page of another site must not speak for whoever looks at it, nor through a name that it made lead here.
 *
 * @throws {DomainError} `host_not_allowed` or `origin_not_allowed`.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports | Security warning of the transport}
 */
export function refuseForeign({ config }: Pick<AppContext, 'config'>, headers: Headers): void {
  const { host, hostname, origin } = new URL(config.baseUrl);
  const asked = headers.get('host') ?? host;
  const isNamed = asked === host || isOtherName(asked, hostname);
  if (!isNamed) throw new DomainError('host_not_allowed', `This is ${host}`);
  const from = headers.get('origin');
  if (from === null || from === origin || config.agents.mcpOrigins.includes(from)) return;
  throw new DomainError('origin_not_allowed', 'Pages of this origin may not call the MCP server');
}
