/** What operators write to the keeper. */
import * as z from 'zod';
import { line, lines } from './texts.ts';

/** The longest texts, in code points. */
export const CONTACT_LENGTHS = { subject: 120, message: 5000 } as const;

function isThere(text: string): boolean {
  return text !== '';
}

export const ContactText = z
  .strictObject({
    subject: line(CONTACT_LENGTHS.subject)
      .refine(isThere, 'must not be empty')
      .describe(`One line of at most ${CONTACT_LENGTHS.subject} visible characters.`),
    message: lines(CONTACT_LENGTHS.message)
      .refine(isThere, 'must not be empty')
      .describe(`At most ${CONTACT_LENGTHS.message} visible characters and line breaks.`),
  })
  .meta({ id: 'ContactText' });
export type ContactText = z.infer<typeof ContactText>;
