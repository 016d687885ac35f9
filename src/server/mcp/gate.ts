/** Checks before the MCP server: host, origin and caller. */
import type { APIContext } from 'astro';
import * as z from 'zod';
import { DomainError } from '#core/domain/text/errors.ts';
import { isOtherName } from '#core/domain/account/loopback.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { tokenCaller } from '../http/request/caller.ts';

/** Whether a tool, by its name, or a resource, by its URI, requires an operator. */
export type Protected = (name: string) => boolean;

/** The part of a message that names what it asks for. */
const Asked = z.union([
  z
    .object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) })
    .transform(({ params }) => params.name),
  z
    .object({ method: z.literal('resources/read'), params: z.object({ uri: z.string() }) })
    .transform(({ params }) => params.uri),
]);

/**
 * Returns the caller that the token of a request identifies; null without a token. Tokens are also verified where none
 * is required, so that clients notice invalid ones.
 *
 * @throws {DomainError} `unauthenticated`, `token_invalid`, `insufficient_scope`, or `credential_unsuitable` for
 *   the token of a device, which is for another request, and of the companion site, which is for peers only.
 */
export async function tokenHolderOf({
  request,
  locals: { ctx },
}: Pick<APIContext, 'locals' | 'request'>): Promise<Caller | null> {
  if (!request.headers.has('authorization')) return null;
  return tokenCaller(ctx, request, ['bearer'], 'mcp');
}

/**
 * Rejects a message without a token that calls a tool or reads a resource for operators.
 *
 * @param message The body, parsed.
 * @throws {DomainError} `unauthenticated`.
 */
export function refuseStranger(message: unknown, isProtected: Protected): void {
  const { data: name } = Asked.safeParse(message);
  if (name === undefined || !isProtected(name)) return;
  throw new DomainError('unauthenticated', `${name} requires a signed-in operator`);
}

/**
 * Rejects requests from pages of other sites, including those that use DNS rebinding.
 *
 * @throws {DomainError} `host_not_allowed` or `origin_not_allowed`.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports | Security warning of the transport}
 */
export function refuseForeign({ config }: Pick<AppContext, 'config'>, headers: Headers): void {
  const { host, hostname, origin } = new URL(config.baseUrl);
  const asked = headers.get('host') ?? host;
  const isNamed = asked === host || isOtherName(asked, hostname);
  if (!isNamed) throw new DomainError('host_not_allowed', `This server is ${host}`);
  const from = headers.get('origin');
  if (from === null || from === origin || config.agents.mcpOrigins.includes(from)) return;
  throw new DomainError('origin_not_allowed', 'Pages of this origin cannot call the MCP server');
}
