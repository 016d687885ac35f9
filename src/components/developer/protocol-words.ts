/** The specification of the device protocol, as text: how statements are signed, and what devices send. */

import { FINGERPRINTS } from './protocol-fingerprint-words.ts';
import { CORRECTIONS, METRICS, records } from './protocol-record-words.ts';
import { REPLACING } from './protocol-replace-words.ts';

/** A row of a definition list: a name in code, what it may be, and what it means. */
export type ProtocolTerm = readonly [name: string, type: string, meaning: string];

/** A paragraph, with code between backticks and links as `[text](address)`, or something that is no paragraph. */
export type ProtocolBlock =
  | string
  | { steps: readonly string[] }
  | { items: readonly string[] }
  | { code: readonly string[] }
  | { terms: readonly ProtocolTerm[] }
  /** The fields of a schema, by its name. */
  | { fields: string };

export interface ProtocolSection {
  id: string;
  title: string;
  blocks: readonly ProtocolBlock[];
}

/** What the text names of this board and of the interface. */
export interface ProtocolFacts {
  baseUrl: string;
  schemas: string;
  vectors: string;
  /** The largest snapshot, in bytes. */
  maxBytes: number;
  maxRecords: number;
  /** How long an enrollment code can be used, in minutes. */
  codeMinutes: number;
  /** How far an instant may be from the board's clock, in minutes. */
  skewMinutes: number;
  /** The longest life of a device token, in seconds. */
  tokenSeconds: number;
  firstDay: string;
}

/** The sections about signing and submitting. */
export function deviceSections(facts: ProtocolFacts): ProtocolSection[] {
  return [
    overview(facts),
    encodings(facts),
    KEYS,
    ENVELOPE,
    enrollment(facts),
    REPLACING,
    tokens(facts),
    snapshots(facts),
    records(facts),
    METRICS,
    CORRECTIONS,
    FINGERPRINTS,
  ];
}

function overview({ schemas, vectors }: ProtocolFacts): ProtocolSection {
  return {
    id: 'overview',
    title: 'Overview',
    blocks: [
      'A device is a program that holds an Ed25519 key and signs daily token counts for one operator. This page is all you need to write one, or to write a program that verifies a board. The key words MUST, SHOULD and MAY are used as in [RFC 2119](https://www.rfc-editor.org/rfc/rfc2119).',
      {
        steps: [
          'Make a key pair and store the private key on the device.',
          'Enroll the key with a one-time code from the operator’s settings.',
          'Add up the tokens of each UTC day by tool, provider and model.',
          'Sign the records as one snapshot, send it, and keep the receipt.',
        ],
      },
      `The schemas below are also one [JSON Schema document](${schemas}). All examples come from the [test vectors](${vectors}), which list every intermediate value. Check your program against them before you send anything to a board: there is no sandbox.`,
    ],
  };
}

function encodings({ baseUrl }: ProtocolFacts): ProtocolSection {
  return {
    id: 'encodings',
    title: 'Encodings',
    blocks: [
      {
        terms: [
          [
            'base64',
            'RFC 4648, section 4',
            'With padding. Only the canonical encoding is accepted.',
          ],
          ['base64url', 'RFC 4648, section 5', 'Without padding. Only the canonical encoding.'],
          ['hex', '0–9, a–f', 'Lower case, two digits a byte.'],
          [
            'text',
            'UTF-8',
            'Hashes and signatures cover the UTF-8 bytes, without a byte order mark.',
          ],
          ['instant', 'RFC 3339', 'For example `2026-03-02T09:05:00.000Z`.'],
          ['day', 'YYYY-MM-DD', 'A UTC day.'],
          [
            'audience',
            baseUrl,
            'The base URL of a board, character for character, without a slash at the end. This is the audience for this board.',
          ],
        ],
      },
      'Signed JSON needs no canonical form: a signature covers the exact bytes that you send. The board parses those bytes once. It refuses JSON that is not UTF-8, repeats a key in an object (`json_key_duplicate`), nests deeper than 64 levels, or has more than 256 keys in an object (`malformed_json`). Schemas are closed unless stated otherwise: an unknown member is refused with `validation_failed`.',
    ],
  };
}

const KEYS: ProtocolSection = {
  id: 'keys',
  title: 'Keys',
  blocks: [
    'All signatures are Ed25519 ([RFC 8032](https://www.rfc-editor.org/rfc/rfc8032)), without prehash or context. A public key is its 32 raw bytes, written as base64url. A board accepts only canonically encoded keys in the prime-order group (`public_key_invalid`), which is what every common library generates.',
    'A key is named by its hash:',
    { code: ['keyid = "SHA256:" + base64url(SHA-256(raw public key))'] },
    'A key belongs to one account permanently. An installation that enrolls again MUST make a new key.',
  ],
};

const ENVELOPE: ProtocolSection = {
  id: 'envelope',
  title: 'Signed envelopes',
  blocks: [
    'Every signed statement is an envelope of [DSSE 1.0](https://github.com/secure-systems-lab/dsse/blob/v1.0.2/protocol.md). Devices put exactly one signature into it.',
    {
      code: [
        '{"payloadType":"…","payload":"base64…","signatures":[{"keyid":"SHA256:…","sig":"base64…"}]}',
      ],
    },
    'The signature covers the pre-authentication encoding (PAE) of the type and the payload, not the payload alone:',
    {
      code: [
        'PAE(type, payload) = "DSSEv1" SP LEN(type) SP type SP LEN(payload) SP payload',
        'sig = base64(Ed25519-Sign(private key, PAE(payloadType, payload)))',
      ],
    },
    '`SP` is one space (0x20). `LEN` is the number of bytes of the UTF-8 text or payload in decimal ASCII, without leading zeros. `payload` stands for the decoded bytes, not for their base64. For the type `http://example.com/HelloWorld` and the payload `hello world`, the PAE is:',
    { code: ['DSSEv1 29 http://example.com/HelloWorld 11 hello world'] },
    {
      terms: [
        [
          'application/vnd.opbench.enrollment.v1+json',
          'by a device',
          'Proves possession of a key that is to be enrolled.',
        ],
        ['application/vnd.opbench.snapshot.v1+json', 'by a device', 'Daily records.'],
        ['application/vnd.opbench.receipt.v1+json', 'by the board', 'Confirms a submission.'],
        [
          'application/vnd.opbench.board-key.v1+json',
          'by the board',
          'Introduces a key of the board.',
        ],
        [
          'application/vnd.opbench.log-head.v1+json',
          'by the board',
          'The newest entry of the public log.',
        ],
        [
          'application/vnd.opbench.public-log.v1+json',
          'by the board',
          'The end of the public log file.',
        ],
        [
          'application/vnd.opbench.self-report.v1+json',
          'unsigned',
          'Records that an operator sent by hand, as the log keeps them.',
        ],
      ],
    },
    'A verifier MUST compare `payloadType` with the one type it expects before it uses a payload.',
  ],
};

function enrollment({ codeMinutes, skewMinutes }: ProtocolFacts): ProtocolSection {
  return {
    id: 'enrollment',
    title: 'Enrollment',
    blocks: [
      `The operator creates a code with “New key” in the [settings](/settings). It has 15 characters of Crockford’s base32 (75 random bits) in three groups, \`XXXXX-XXXXX-XXXXX\`, can be used once, and expires after ${codeMinutes} minutes.`,
      'Normalize the code as it was typed, then hash it:',
      {
        steps: [
          'Convert it to upper case, and remove white space and hyphens.',
          'Replace `O` with `0`, and `I` and `L` with `1`.',
          'Check that 15 characters of `0123456789ABCDEFGHJKMNPQRSTVWXYZ` are left.',
          '`code_hash` is the SHA-256 of these 15 ASCII characters in hex.',
        ],
      },
      'Sign this payload with the new key, as type `application/vnd.opbench.enrollment.v1+json`:',
      { fields: 'EnrollmentStatement' },
      'Send it with the code as `POST /api/v1/devices/enroll`, `Content-Type: application/json`. No other credential is read. `public_key`, `installation_id` and `replaces` are those of the payload. A device that takes the place of another [replaces it](#replacing).',
      { fields: 'EnrollmentRequest' },
      'The answer is 201:',
      { fields: 'Enrollment' },
      'Store `board.keyid`: it signs your receipts. If the answer was lost, send the same request again within the life of the code: it is answered 200 with the same device. An enrollment with the `installation_id` of an existing device revokes the earlier key of that device.',
      {
        terms: [
          [
            'enrollment_code_invalid',
            '422',
            'The code is mistyped, used or expired. This is checked first.',
          ],
          ['public_key_invalid', '422', 'The key is not a sound Ed25519 key.'],
          [
            'envelope_invalid',
            '422',
            'The proof has the wrong type, or not exactly one signature.',
          ],
          [
            'proof_invalid',
            '422',
            'Another key signed the proof, or it states another code, key, installation or device to replace.',
          ],
          ['audience_mismatch', '422', 'The proof names another board.'],
          [
            'snapshot_stale',
            '422',
            `\`issued_at\` is more than ${skewMinutes} minutes from the board’s clock.`,
          ],
          ['key_known', '409', 'The key was enrolled before. Make a new key.'],
        ],
      },
    ],
  };
}

function tokens({ tokenSeconds }: ProtocolFacts): ProtocolSection {
  return {
    id: 'device-tokens',
    title: 'Device tokens',
    blocks: [
      'A device reads its operator’s own data with a device token: a JWT ([RFC 7519](https://www.rfc-editor.org/rfc/rfc7519)) for one request, sent as `Authorization: Bearer`. [Each operation](/developers#operations) states whether it accepts one. A snapshot needs no token.',
      {
        terms: [
          ['alg', 'Ed25519', 'Header. The name of RFC 9864; `EdDSA` is refused.'],
          ['typ', 'device+jwt', 'Header.'],
          ['kid', 'key ID', 'Header. The device’s key, which signs the token.'],
          ['aud', 'text', 'The audience.'],
          ['iat', 'seconds since 1970', 'At most 60 seconds ahead of the board’s clock.'],
          ['exp', 'seconds since 1970', `At most ${tokenSeconds} seconds after \`iat\`.`],
          ['jti', '1 to 100 characters', 'Unique for the key. Each token is accepted once.'],
          ['htm', 'method', 'The request method, for example `GET`.'],
          ['htu', 'URL', 'The audience followed by the request path, without a query.'],
        ],
      },
      'A refused token is answered 401 `token_invalid`, or with `key_unknown` or `key_revoked`.',
    ],
  };
}

function snapshots({ maxBytes, maxRecords, skewMinutes }: ProtocolFacts): ProtocolSection {
  return {
    id: 'snapshots',
    title: 'Snapshots',
    blocks: [
      'Sign this payload with the enrolled key, as type `application/vnd.opbench.snapshot.v1+json`:',
      { fields: 'SnapshotPayload' },
      `Send the envelope as \`POST /api/v1/snapshots\`, \`Content-Type: application/vnd.dsse.envelope.v1+json\`. The signature is the only credential. The body may be compressed with gzip and holds at most ${maxBytes} bytes after decompression, with up to ${maxRecords} records. [Limits](/developers#limits) apply to each operator and device.`,
      'A board checks in this order and answers the first failure. Nothing is stored unless all checks pass.',
      {
        steps: [
          'The body is strict JSON (`malformed_json`, `json_key_duplicate`) and an envelope of this type with one signature (`envelope_invalid`).',
          'The key is enrolled (`key_unknown`) and not revoked (`key_revoked`).',
          'The signature is valid (`signature_invalid`).',
          'The device is within its limits (`quota_exceeded`).',
          'The payload is strict JSON and fits the schema (`validation_failed`).',
          '`audience` is this board’s (`audience_mismatch`).',
          'If this key has used `submission_id` before: the same payload bytes are answered 200 with the first answer, other bytes 409 `submission_id_reused`.',
          `\`issued_at\` is within ${skewMinutes} minutes of the board’s clock (\`snapshot_stale\`).`,
          'The records and the correction are acceptable, as described below.',
          'With this snapshot, the operator’s counts stay summable (`count_out_of_range`) and the sources within bounds (`too_many_sources`).',
        ],
      },
      'An accepted snapshot is answered 201 with a [receipt](#receipts). Keep the exact envelope until you have one. After a timeout or a 5xx answer, send the same bytes again: they count once. After `snapshot_stale`, sign the records anew with a new `submission_id`.',
    ],
  };
}
