/** Checks that a server's responses are declared in the OpenAPI document. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '#core/contract/openapi/openapi.ts';
import type { HeaderObject } from '#core/contract/openapi/openapi-headers.ts';
import type { OperationObject, ResponseObject } from '#core/contract/openapi/openapi-operations.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';

/** A request and its response. */
export interface Exchange {
  method: string;
  /** The path without the query. */
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

/** Header fields of every response: of the connection, of the message, and for security. */
const EVERYWHERE = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
]);

type Answer = [response: ResponseObject, pointer: string];

export class Contract {
  readonly #document: OpenApiDocument;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
  }

  /** What the document does not declare about an exchange; null for paths that are not in the document. */
  faults(exchange: Exchange): string[] | null {
    const path = this.#pathOf(exchange.path);
    const { method } = exchange;
    if (path === null) return exchange.path.startsWith('/api/') ? this.#unknown(exchange) : null;
    const operations = this.#document.paths[path] ?? {};
    const known = operations[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    if (method === 'OPTIONS') return optionsFaults(exchange);
    if (known) return this.#operationFaults(path, known, exchange);
    if (exchange.status < 400) return [`${method} is not an operation of ${path}`];
    return this.#operationFaults(path, Object.values(operations)[0] as OperationObject, exchange);
  }

  #pathOf(path: string): string | null {
    const paths = Object.keys(this.#document.paths);
    if (paths.includes(path)) return path;
    const fits = (template: string) => {
      const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${pattern}$`).test(path);
    };
    return paths.find(fits) ?? null;
  }

  /** Unknown paths return a problem. MCP messages are not operations. */
  #unknown(exchange: Exchange): string[] {
    const { status, headers, path } = exchange;
    if (path === MCP_PATH && mediaTypeOf(headers) !== 'application/problem+json') return [];
    if (status < 400) return [`Nothing is declared here, but the status is ${status}`];
    if (mediaTypeOf(headers) !== 'application/problem+json') {
      return [`A refusal is ${mediaTypeOf(headers)}`];
    }
    return this.#bodyFaults(exchange, '#/components/schemas/Problem');
  }

  #operationFaults(path: string, operation: OperationObject, exchange: Exchange): string[] {
    const answer = this.#answerOf(path, operation, exchange.status);
    if (!answer) return [`The status ${exchange.status} is not declared`];
    const [response, pointer] = answer;
    return [
      ...this.#headerFaults(response, exchange.headers),
      ...this.#contentFaults(response, pointer, exchange),
    ];
  }

  #answerOf(path: string, operation: OperationObject, status: number): Answer | null {
    const response = operation.responses[status];
    if (!response) return null;
    if ('$ref' in response) {
      const name = response.$ref.split('/').at(-1) ?? '';
      return [this.#document.components.responses[name] as ResponseObject, response.$ref];
    }
    const methods = Object.entries(this.#document.paths[path] ?? {});
    const method = methods.find(([, candidate]) => candidate === operation)?.[0] ?? '';
    return [response, `#/paths/${escape(path)}/${method}/responses/${status}`];
  }

  #headerFaults({ headers: declared }: ResponseObject, headers: Headers): string[] {
    const faults: string[] = [];
    for (const [name, header] of Object.entries(declared)) {
      const value = headers.get(name);
      const { required, schema } = this.#headerOf(header);
      if (value === null && required) faults.push(`The header ${name} is missing`);
      if (value === null) continue;
      const typed = schema.type === 'integer' ? Number(value) : value;
      if (!this.#ajv.validate(schema, typed)) faults.push(`The header ${name} is ${value}`);
    }
    const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
    for (const name of headers.keys()) {
      if (names.has(name) || EVERYWHERE.has(name)) continue;
      faults.push(`The header ${name} is not declared`);
    }
    return faults;
  }

  #headerOf(header: HeaderObject | { $ref: string }): HeaderObject {
    if (!('$ref' in header)) return header;
    return this.#document.components.headers[header.$ref.split('/').at(-1) ?? ''] as HeaderObject;
  }

  #contentFaults({ content }: ResponseObject, pointer: string, exchange: Exchange): string[] {
    const { headers, body, method } = exchange;
    if (!content) return body === '' ? [] : ['A body is not declared'];
    const mediaType = mediaTypeOf(headers);
    const declared = content[mediaType];
    if (!declared) return [`The media type ${mediaType} is not declared`];
    if (method === 'HEAD') return body === '' ? [] : ['HEAD is answered with a body'];
    const faults = this.#bodyFaults(exchange, `${pointer}/content/${escape(mediaType)}/schema`);
    const codes = Object.keys(declared.examples ?? {});
    return faults.length > 0 || codes.length === 0 ? faults : problemFaults(exchange, codes);
  }

  #bodyFaults({ headers, body, method }: Exchange, pointer: string): string[] {
    if (method === 'HEAD') return [];
    let values: unknown[];
    try {
      values = valuesIn(body, mediaTypeOf(headers));
    } catch {
      return ['The body is not JSON'];
    }
    const validate = this.#validatorOf(pointer);
    if (values.every((value) => validate(value))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => {
      return `The body's ${instancePath || 'whole'} ${message}`;
    });
  }

  #validatorOf(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer);
    if (known) return known;
    const made = this.#ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
    this.#compiled.set(pointer, made);
    return made;
  }
}

/**
 * A fetch that throws if a response breaks the contract.
 *
 * @param send The actual fetch.
 */
export function strictFetch(contract: Contract, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const method = (
      init?.method ?? (input instanceof Request ? input.method : 'GET')
    ).toUpperCase();
    const asked = input instanceof Request ? input.url : String(input);
    const { pathname: path } = new URL(response.url || asked);
    const { status, headers } = response;
    const body = await response.clone().text();
    const faults = contract.faults({ method, path, status, headers, body }) ?? [];
    if (faults.length === 0) return response;
    const told = `${method} ${path} answered ${status}, which breaks the contract`;
    throw new Error([told, ...faults, body.slice(0, 2000)].join('\n'));
  };
}

/** The content of a body: a text, a JSON value, or one in each line. */
function valuesIn(body: string, mediaType: string): unknown[] {
  if (!mediaType.endsWith('json')) return [body];
  if (!mediaType.endsWith('ndjson')) return [JSON.parse(body)];
  return body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** A problem's code must be declared for its status. */
function problemFaults({ body, status }: Exchange, codes: readonly string[]): string[] {
  const problem = JSON.parse(body) as { code: string; status: number };
  const faults = [];
  if (!codes.includes(problem.code)) faults.push(`The code ${problem.code} is not declared here`);
  if (problem.status !== status) faults.push(`The problem says ${problem.status}`);
  return faults;
}

/** OPTIONS is not an operation. It returns the methods, or is rejected. */
function optionsFaults({ status, headers, body }: Exchange): string[] {
  if (status >= 400) {
    const mediaType = mediaTypeOf(headers);
    return mediaType === 'application/problem+json' ? [] : [`A refusal is ${mediaType}`];
  }
  const faults = [];
  if (status !== 204) faults.push(`OPTIONS is answered ${status}`);
  if (!headers.has('allow')) faults.push('The header Allow is missing');
  if (body !== '') faults.push('A body is not declared');
  return faults;
}

function mediaTypeOf(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0]?.trim() ?? 'of no media type';
}

/** A member's name in a JSON Pointer. */
function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
