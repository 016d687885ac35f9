/** Reads a JSON-RPC message once, so that the gate and the server see the same. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJsonBytes } from '#core/domain/text/json.ts';
import { bytesOf, encodingOf, requireMediaType } from '../http/request/body.ts';

export const MEDIA_TYPE = 'application/json';

/** A JSON-RPC error for an invalid message. */
export class MessageError extends Error {
  readonly #code: number;
  readonly #status: number;
  readonly #id: unknown;

  /** @param id The ID of the message, if it has one. */
  constructor(
    code: number,
    message: string,
    { status = 400, id = null }: MessageErrorOptions = {},
  ) {
    super(message);
    this.#code = code;
    this.#status = status;
    this.#id = id;
  }

  response(): Response {
    const { message } = this;
    const body = { jsonrpc: '2.0', id: this.#id, error: { code: this.#code, message } };
    return Response.json(body, { status: this.#status });
  }
}

interface MessageErrorOptions {
  status?: number;
  id?: unknown;
}

/**
 * Returns the message of a request.
 *
 * @param limitBytes The maximum size.
 * @throws {DomainError} `unsupported_media_type` if the body is not JSON, or is compressed.
 * @throws {DomainError} `unauthenticated` if it is larger, because larger messages require a signed-in operator.
 * @throws {MessageError} for invalid or ambiguous JSON, and for a batch. Revision 2025-06-18 removed batches from the
 *   protocol.
 */
export async function readMessage(request: Request, limitBytes: number): Promise<unknown> {
  requireMediaType(request, [MEDIA_TYPE]);
  encodingOf(request, []);
  refuseLong(Number(request.headers.get('content-length') ?? 0), limitBytes);
  const bytes = await bytesOf(request);
  refuseLong(bytes.length, limitBytes);
  const message = parse(bytes);
  if (!Array.isArray(message)) return message;
  throw new MessageError(
    ProtocolErrorCode.InvalidRequest,
    'Batches are not supported. Send one message per request',
  );
}

function refuseLong(length: number, limitBytes: number): void {
  if (length <= limitBytes) return;
  const detail = `A message of more than ${limitBytes} bytes requires a signed-in operator`;
  throw new DomainError('unauthenticated', detail);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new MessageError(ProtocolErrorCode.ParseError, error.message);
  }
}
