/** Schemas of single values. */
import * as z from 'zod';
import { isReadable } from './texts.ts';
import { LABEL_LENGTH, MAX_COUNT, isPlain } from './usage.ts';

export const TokenCount = z
  .int()
  .min(0)
  .max(MAX_COUNT)
  .meta({ id: 'TokenCount', description: 'A number of tokens.' });
export type TokenCount = z.infer<typeof TokenCount>;

export const Timestamp = z.iso
  .datetime({ offset: true })
  .max(40)
  .meta({ id: 'Timestamp', description: 'An RFC 3339 time with any offset.' });

export const Day = z.iso
  .date('must be a UTC day, YYYY-MM-DD')
  .meta({ id: 'Day', description: 'A UTC day, YYYY-MM-DD.' });

export const Label = z
  .string()
  .min(1)
  .max(2 * LABEL_LENGTH)
  .refine(
    (text) => [...text].length <= LABEL_LENGTH,
    `must have at most ${LABEL_LENGTH} characters`,
  )
  .refine(isPlain, 'must be in Unicode normal form C without control, bidi or format characters')
  .meta({
    id: 'Label',
    description: 'A provider, model or tool name: 1 to 120 visible characters, Unicode NFC.',
  });

export const Codename = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$/,
    'must be 3 to 30 characters of a-z, 0-9 and -, starting and ending with a letter or digit',
  )
  .meta({ id: 'Codename', description: "The operator's public name." });

export const UuidV7 = z
  .string()
  .regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    'must be a lower-case UUID of version 7',
  )
  .meta({ id: 'UuidV7', description: 'A UUID of version 7, lower case.' });

export const PublicKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url without padding')
  .meta({
    id: 'PublicKey',
    description: 'A raw Ed25519 public key: 32 bytes in base64url without padding.',
  });

export const KeyId = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9_-]{43}$/, 'must be SHA256: and 32 bytes in base64url')
  .meta({
    id: 'KeyId',
    description: 'The ID of a key: `SHA256:` and the SHA-256 of the raw public key in base64url.',
  });

export const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
  .meta({ id: 'Digest', description: '32 bytes, 64 lower-case hex digits.' });

/** A name that a person gives to a device or an API key: 1 to 60 visible characters. */
export const OwnLabel = z
  .string()
  .min(1, 'must not be empty')
  .max(60, 'must have at most 60 characters')
  .refine(isReadable, 'must be in Unicode normal form C without invisible characters')
  .meta({
    id: 'OwnLabel',
    description: 'The name that the owner gave it: 1 to 60 visible characters.',
  });

export const FingerprintKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url without padding');
