/** Parses the payloads of log entries. */
import { type LogPayload, PAYLOADS } from '#core/schema/log-payload.ts';
import { parseAs } from '../text/faults.ts';
import { parseJson } from '../text/json.ts';

/**
 * Parses the payload of an entry of this kind.
 *
 * @throws {DomainError} if it is invalid.
 */
export function readPayload<Kind extends keyof typeof PAYLOADS>(
  kind: Kind,
  text: string,
): LogPayload<Kind> {
  return parseAs<unknown>(PAYLOADS[kind], parseJson(text), 'The payload') as LogPayload<Kind>;
}
