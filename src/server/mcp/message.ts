/** What a client posts: one JSON-RPC message, read once, so that the gate and the server see the same. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseJsonBytes } from '#core/domain/text/json.ts';
import { bytesOf, encodingOf, requireMediaType } from '../http/request/body.ts';

export const MEDIA_TYPE = 'application/json';

/** A refusal of what is no message that the server takes, in the words of the protocol. */
export class MessageError extends Error {
  readonly #code: number;
  readonly #status: number;
  readonly #id: unknown;

  /** @param id The message's own, if it has one. */
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
 * The message of a request.
 *
 * @param limitBytes How large it may be.
 * @throws {DomainError} `unsupported_media_type` for what is not JSON, or compressed.
 * @throws {DomainError} `unauthenticated` if it is larger: only a signed-in operator has so much to say.
 * @throws {MessageError} for what is no JSON or ambiguous, and for a batch, of which the gate would have
 *   to judge each part: revision 2025-06-18 took batches out of the protocol.
 */
export async function readMessage(request: Request, limitBytes: number): Promise<unknown> {
  requireMediaType(request, [MEDIA_TYPE]);
  encodingOf(request, []);
  refuseLong(Number(request.headers.get('content-length') ?? 0), limitBytes);
  const bytes = await bytesOf(request);
  refuseLong(bytes.length, limitBytes);
  const message = parse(bytes);
  if (!Array.isArray(message)) return message;
  throw new MessageError(ProtocolErrorCode.InvalidRequest, 'Send one message, not a batch');
}

function refuseLong(length: number, limitBytes: number): void {
  if (length <= limitBytes) return;
  const detail = `A message of more than ${limitBytes} bytes needs a signed-in operator`;
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
