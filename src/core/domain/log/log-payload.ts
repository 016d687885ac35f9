/** What an entry of the log tells. */
import { type LogPayload, PAYLOADS } from '#core/schema/log-payload.ts';
import { parseAs } from '../text/faults.ts';
import { parseJson } from '../text/json.ts';

/**
 * Reads the payload of an entry of this kind.
 *
 * @throws {DomainError} if it is not one.
 */
export function readPayload<Kind extends keyof typeof PAYLOADS>(
  kind: Kind,
  text: string,
): LogPayload<Kind> {
  return parseAs<unknown>(PAYLOADS[kind], parseJson(text), 'The payload') as LogPayload<Kind>;
}
