/** Objects of the wire. */
import * as z from 'zod';

type Shape = z.core.$ZodLooseShape;
type Closed<Members extends Shape> = z.ZodObject<Members, z.core.$strict>;

/** An object that takes no other members, under the name that documents know it by; with what it is, if that is said. */
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
