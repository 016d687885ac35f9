import { PayloadLine } from '#core/schema/public-log.ts';

/** Reads a line of the payloads of a bundle. Null if it is not exactly what a board writes. */
export function readPayloadLine(text: string): PayloadLine | null {
  try {
    const { success, data } = PayloadLine.safeParse(JSON.parse(text));
    return success && JSON.stringify(data) === text ? data : null;
  } catch {
    return null;
  }
}
