/** Named object schemas. */
import * as z from 'zod';

type Shape = z.core.$ZodLooseShape;
type Closed<Members extends Shape> = z.ZodObject<Members, z.core.$strict>;

/** Returns a strict object schema with the name, and optionally the description, that the documents use. */
export function object<Members extends Shape>(id: string, shape: Members): Closed<Members>;
export function object<Members extends Shape>(
  id: string,
  description: string,
  shape: Members,
): Closed<Members>;
export function object(id: string, ...told: [Shape] | [description: string, shape: Shape]) {
  if (told.length === 1) return z.strictObject(told[0]).meta({ id });
  const [description, shape] = told;
  return z.strictObject(shape).meta({ id, description });
}
