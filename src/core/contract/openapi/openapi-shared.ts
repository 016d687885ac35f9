import type { OperationObject } from './openapi-operations.ts';
import type { ResponseObject } from './openapi-responses.ts';

/**
 * Takes what several operations answer alike out of them, and leaves references.
 *
 * @returns The shared responses by name.
 */
export function sharedResponses(
  operations: readonly OperationObject[],
): Record<string, ResponseObject> {
  const uses = new Map<string, number>();
  const all = operations.flatMap(({ responses }) => Object.entries(responses));
  for (const [, response] of all) {
    const text = JSON.stringify(response);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const [status, response] of all) {
    const text = JSON.stringify(response);
    if ((uses.get(text) ?? 0) > 1) names.set(text, names.get(text) ?? nameFor(status, names));
  }
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = names.get(JSON.stringify(response));
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  const shared = [...names].map(([text, name]) => [name, JSON.parse(text) as ResponseObject]);
  return Object.fromEntries(shared.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

const PHRASES: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'ServerError',
  503: 'ServiceUnavailable',
};

/** `NotFound`, `NotFound2` and so on, in the order in which the operations need them. */
function nameFor(status: string, names: ReadonlyMap<string, string>): string {
  const phrase = PHRASES[status] ?? `Status${status}`;
  const alike = [...names.values()].filter((name) => name.replace(/\d+$/, '') === phrase).length;
  return alike === 0 ? phrase : `${phrase}${alike + 1}`;
}
