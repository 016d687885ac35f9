import type * as z from 'zod';

/** What a text says as JSON, by a schema; null if it is no JSON, or does not say that. */
export function jsonAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return schema.safeParse(value).data ?? null;
}
