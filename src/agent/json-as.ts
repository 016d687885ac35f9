import type * as z from 'zod';

/** Parses JSON and validates it with a schema. Returns null if either fails. */
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
