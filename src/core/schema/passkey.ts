/** What browsers answer when a passkey is created or used, as JSON. */
import * as z from 'zod';
import { line } from './texts.ts';

/** The longest credential ID, in bytes. */
const MAX_CREDENTIAL_ID = 1023;
/** Far more than any answer without attestation has. */
const MAX_PART_LENGTH = 8 * 1024;

const base64url = (length: number) =>
  z
    .string()
    .max(length)
    .regex(/^[\w-]+$/);
const Part = base64url(MAX_PART_LENGTH);
const CredentialId = base64url(Math.ceil((MAX_CREDENTIAL_ID * 4) / 3));

const credential = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: Part, ...shape }),
    clientExtensionResults: z.object({}).default({}),
  });

export const NewPasskey = credential({ attestationObject: Part });
/** The answer of a browser that created a passkey. */
export type NewPasskey = z.infer<typeof NewPasskey>;

export const UsedPasskey = credential({
  authenticatorData: Part,
  signature: Part,
  userHandle: base64url(86),
});
/** The answer of a browser that signed with a passkey. */
export type UsedPasskey = z.infer<typeof UsedPasskey>;

/** What the browser saw, which the answer signs. */
export const PasskeyClientData = z.object({
  challenge: base64url(86),
  origin: z.string(),
});

/** The longest name of a passkey, in code points. */
export const PASSKEY_NAME_LENGTH = 60;

export const PasskeyName = line(PASSKEY_NAME_LENGTH).refine(
  (text) => text !== '',
  'must not be empty',
);
