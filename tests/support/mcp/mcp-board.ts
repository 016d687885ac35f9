/** Clients of a board's MCP server in the test's own process. */
import type { APIContext } from 'astro';
import { mcpEndpoint } from '#server/mcp/endpoint.ts';
import { isProtected, serverOf } from '#server/mcp/server.ts';
import { BASE_URL } from '../board/builders.ts';
import type { TestContext } from '../board/context.ts';

const ENDPOINT = mcpEndpoint({ serverOf, isProtected });
const REVISION = '2026-07-28';
const REQUEST_ID = '6f0f6a4e-0000-4000-8000-000000000000';

/** The server's response. */
export interface Told {
  status: number;
  headers: Headers;
  /** Null for an empty response. */
  body: {
    result?: Record<string, unknown>;
    error?: { code: number; message: string };
    /** Of problem details. */
    code?: string;
    hint?: string;
  } | null;
}

/** Posts a body unchanged. */
export async function post(
  ctx: TestContext,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Told> {
  const request = new Request(`${BASE_URL}/api/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  return serve(ctx, request);
}

/** Passes a request to the endpoint. */
export async function serve(ctx: TestContext, request: Request): Promise<Told> {
  const locals = { ctx, client: 'a', requestId: REQUEST_ID, apiKey: null };
  const response = await ENDPOINT({ request, locals } as unknown as APIContext);
  const text = await response.text();
  const body = text === '' ? null : (JSON.parse(text) as Told['body']);
  return { status: response.status, headers: response.headers, body };
}

/** A message of the current revision. */
export function modern(method: string, params: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
}

/** The headers of a message of the current revision. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  };
}

/** Sends a request of the current revision. */
export function ask(
  ctx: TestContext,
  method: string,
  params: { name?: string } & Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Told> {
  const text = JSON.stringify(modern(method, params));
  return post(ctx, text, { ...modernHeaders(method, params.name), ...headers });
}

export const bearer = (token = '') => ({ Authorization: `Bearer ${token}` });

/** A tool's result: its structured content, or the error. */
export interface Called {
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
  /** The content of the text: the same as the structured content, or the error. */
  told: Record<string, unknown>;
}

/** Calls a tool. */
export async function call(
  ctx: TestContext,
  name: string,
  given: object = {},
  token?: string,
): Promise<Called> {
  const headers = token === undefined ? {} : bearer(token);
  const { body } = await ask(ctx, 'tools/call', { name, arguments: given }, headers);
  const result = body?.result as Omit<Called, 'told'> | undefined;
  if (!result) throw new Error(`There is no result: ${JSON.stringify(body)}`);
  return { ...result, told: JSON.parse(result.content[0]?.text ?? '') as Called['told'] };
}
