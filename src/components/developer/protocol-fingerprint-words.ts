/** The specification of fingerprints, and of what counts where several devices state the same, as text. */
import type { ProtocolSection } from './protocol-words.ts';

export const FINGERPRINTS: ProtocolSection = {
  id: 'fingerprints',
  title: 'Fingerprints',
  blocks: [
    'When log folders are copied or synchronized, several devices of one operator can report the same responses. A fingerprint of the responses behind a record lets the board find and count them once. It is optional: `context.fingerprint` of a record, 6 to 80 characters. To compute it:',
    {
      steps: [
        'Get `fingerprint_key` with `GET /api/v1/me` and a [device token](#device-tokens): 32 bytes, base64url. It is the same for all devices of an account, and secret. If it is null or missing, send no fingerprints.',
        'Give every response a `key`: text that is the same whenever and wherever its log is read, such as the IDs that the provider gave to the message and the request.',
        '`name = base64url(first 8 bytes of SHA-256(tool LF key))`, where `tool` is the `source.tool` of the record and `LF` a line feed (0x0A).',
        '`value = first 4 bytes of HMAC-SHA-256(fingerprint_key, tool LF name)`, with the 32 decoded bytes of the key, as an unsigned big-endian integer.',
        'Remove duplicates, sort ascending and keep the 15 smallest values.',
        'The fingerprint is the base64url encoding of these values, 4 bytes each, big-endian.',
      ],
    },
    'A record MUST state a fingerprint of all its responses, or none. With fewer than 15 values, a board takes it for the complete list. Values that are not ascending, more than 15 of them, or another encoding is `validation_failed`. Programs that read the same logs find each other’s responses only if they use the same keys.',
    'A board counts the records of an operator’s devices with equal day, tool, provider and model as follows. A verifier MUST do the same:',
    {
      steps: [
        'Take them in descending order of their total, and in the order of the log where totals are equal. The first one counts whole.',
        'Compare each further record with those before it of which at least a part counts. If one of them has equal counts, and either of the two has no fingerprint, the record does not count.',
        'If the record and any of those before it have fingerprints, let `U` be the 15 smallest values of all those before it. `limit` is the smaller of the 15th value of the record and of `U`; a list of fewer values sets no limit. `compared` is the number of the record’s values that are at most `limit`, and `common` how many of these are in `U`.',
        'If `common` is above 0 and equals `compared`, the record does not count.',
        'If `common` is at least 2, or at least 1 and the record has fewer than 15 values, each of its counts becomes `floor(count × (compared − common) ÷ compared)`.',
        'Otherwise the record counts whole.',
      ],
    },
    'Fingerprints in records that nobody signed are ignored, and so are those in the log that do not follow this format. Records sent by hand do not count for a day and tool that a device has signed.',
  ],
};
