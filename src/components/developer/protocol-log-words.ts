/** The specification of what a board signs and logs, as text. */
import type { ProtocolSection } from './protocol-words.ts';

/** The sections about receipts, the board's keys, and the public log. */
export const LOG_SECTIONS: readonly ProtocolSection[] = [
  {
    id: 'receipts',
    title: 'Receipts',
    blocks: [
      'The answer to a snapshot is:',
      { fields: 'SnapshotReceipt' },
      '`receipt` is an envelope that the board signs as type `application/vnd.opbench.receipt.v1+json`. Its payload has at least these members, and they equal those of the answer:',
      {
        terms: [
          ['log_index', 'whole number', 'The place of the submission in the public log.'],
          ['entry_hash', 'hex, 32 bytes', 'The hash of that entry.'],
          ['received_at', 'instant', 'When the board accepted it.'],
          ['ruleset', 'text', 'The ranking rules in force, by their ID.'],
        ],
      },
      '`proof` in the answer has `previous`, the hash of the entry before, and `salt`. To check a receipt:',
      {
        steps: [
          'Write the envelope you sent as compact JSON, with the members in this order: `{"payloadType":…,"payload":…,"signatures":[{"keyid":…,"sig":…}]}`.',
          'Compute the [entry hash](#log) from it, with the kind `snapshot` and the `salt`, `previous`, `log_index` and `received_at` of the answer. It MUST equal `entry_hash`.',
          'Verify the envelope `receipt` with the board’s key.',
          'Compare all four members of its payload with the answer. Ignore members that you do not know.',
        ],
      },
      'Keep the receipt: it proves that the entry was in the log at that place. If a later public log shows another entry there, the board has rewritten its history.',
    ],
  },
  {
    id: 'board-keys',
    title: 'Board keys',
    blocks: [
      '[/.well-known/opbench-keys.json](/.well-known/opbench-keys.json) lists the board’s keys, newest first. The first one signs now.',
      'Each key is introduced by a log entry of kind `board-key`. Its payload is an envelope of type `application/vnd.opbench.board-key.v1+json` over `{"keyid","public_key","previous"}`. `previous` is the `keyid` of the key before, or null for the first key. The first key signs its own entry. Every later entry carries two signatures over the same PAE: one by the new key and one by the key before. From that entry on, only the new key signs.',
      'A device that stored the board’s key SHOULD accept a new one only if the log contains this chain of signatures.',
    ],
  },
  {
    id: 'log',
    title: 'Public log',
    blocks: [
      'A board appends everything that its rankings depend on to one log. Each entry is chained to the one before:',
      {
        code: [
          'payload_digest = hex(SHA-256(salt || payload))',
          'entry_hash = hex(SHA-256(log_index LF kind LF previous LF received_at LF payload_digest LF))',
        ],
      },
      '`salt` is 32 random bytes, and `payload` the UTF-8 text of the entry. `LF` is a line feed (0x0A), also after the last value. `log_index` is decimal and starts at 1, without gaps. `previous` is the `entry_hash` before, or 64 zeros for the first entry. `received_at` has milliseconds, ends with `Z`, and never decreases.',
      'When an account is deleted, `salt` and `payload` of its entries are erased. The hashes stay, so the chain still verifies. Entries of operators who are not public show only their hashes, too. Payloads by kind:',
      {
        terms: [
          ['board-key', 'envelope', 'Introduces a key of the board.'],
          [
            'ruleset',
            'object',
            'The ranking rules from here on: `id`, `interval`, `active_day_tokens`, `active_days`, `effective_days`, `total_tokens`, `output_tokens`, `coverage`.',
          ],
          [
            'visibility',
            'object',
            'How an operator is shown: `operator`, `codename`, `privacy_mode`, `data_opt_out`.',
          ],
          [
            'enroll',
            'object',
            'A device’s key: `operator`, `device`, `keyid`, `public_key`. With `replaces`, the keys and submissions of that device are those of `device` from here on, and its keys may not sign.',
          ],
          [
            'revoke',
            'object',
            'The key may not sign from here on: `operator`, `device`, `keyid`, `reason`. With the reason `compromised`, nothing the device sent counts.',
          ],
          [
            'snapshot',
            'envelope',
            'A submission. Without a signature and of the self-report type, it was sent by hand.',
          ],
          [
            'withdraw',
            'object',
            'By its operator: `operator`, `submission`, `log_index` of the submission. It does not count.',
          ],
          [
            'restore',
            'object',
            'Undoes `withdraw`: the last `hold`, `release` or `reject` of the submission applies again. Members as for `withdraw`.',
          ],
          [
            'hold',
            'object',
            'The submission does not count until it is released: `operator`, `submission`, `log_index`, `by`, `reason`.',
          ],
          ['release', 'object', 'The submission counts again. Members as for `hold`.'],
          ['reject', 'object', 'The submission does not count. Members as for `hold`.'],
          ['hide', 'object', 'The operator is not shown: `operator`, `by`, `reason`.'],
          ['unhide', 'object', 'The operator is shown again. Members as for `hide`.'],
          [
            'erase',
            'object',
            '`entries`: pairs of the first and last `log_index` of entries that are now empty.',
          ],
        ],
      },
      'Payloads of entries MAY have further members, and later versions MAY add kinds. Ignore those that you do not know, but include every entry in the chain.',
      '`GET /api/v1/log` returns the entries in pages, and `head` with `log_index`, `entry_hash` and a `signature` of type `application/vnd.opbench.log-head.v1+json` over both.',
    ],
  },
  {
    id: 'log-file',
    title: 'Public log file',
    blocks: [
      '[/log.ndjson.gz](/log.ndjson.gz) is the whole log with the published boards, rewritten daily: gzip over lines of UTF-8 JSON, each ended by a line feed. Every line is compact JSON with its members in the order of its [schema](/developers/protocol.json), and ends with `check`: the first 16 hex digits of the SHA-256 of the line without that member (`{"line":…}`). `check` only locates damage. The signature at the end protects the file.',
      {
        terms: [
          [
            'header',
            'first line',
            '`line`, `type` (`opbench-log/1`), `base_url`, `log_index` and `entry_hash` of the last entry in the file, `as_of` (the day of the current board, or null), `check`.',
          ],
          [
            'board_key',
            'after the header',
            'One for each key of the board, oldest first: `line`, `keyid`, `public_key`, `log_index`, `valid_from`, `check`. The `board-key` entries MUST introduce the same keys.',
          ],
          [
            'entry',
            'in order',
            '`line`, `log_index`, `kind`, `previous`, `received_at`, `payload_digest`, `entry_hash`, `salt`, `payload`, `receipt`, `check`. `payload` is the exact text as a JSON string. `salt`, `payload` and `receipt` are null where the entry is erased or withheld; `receipt` is set for submissions only.',
          ],
          [
            'board',
            'after the last entry that it depends on',
            '`line`, `kept` (`current` or `daily`), `as_of`, `log_index`, `ruleset`, `tools`, `self_reported`, `rows` (how many `standing` lines follow), `check`.',
          ],
          [
            'standing',
            'after its board',
            '`line`, `trust`, `tool`, `name`, `operator`, `windows`, `check`. `windows` has, for each window and metric, a list of rank, value, and the lower and upper end of the interval; null where there is none.',
          ],
          [
            'end',
            'last line',
            '`line`, `signature`, `check`. The current board key signs `type`, `log_index`, `entry_hash` and `sections`, as type `application/vnd.opbench.public-log.v1+json`.',
          ],
        ],
      },
      'For each of the other five kinds of line, `sections` has the number of lines and the SHA-256 of those lines in the order of the file, each with its line feed. To verify a file:',
      {
        steps: [
          'Check each line, and recompute the chain of entries from 64 zeros.',
          'For each `board-key`, `enroll` and `revoke` entry, keep the keys that may sign from there on.',
          'For each `snapshot` entry with a signature, verify it with a key that is enrolled and not revoked at that place, and verify `receipt` with the board’s key at that place. Its `ruleset` is the `id` of the last `ruleset` entry.',
          'Compare `end` with the file.',
          'Recompute the boards from the entries before them by the rules on [Methodology](/methodology).',
        ],
      },
      '`opbench verify` does all of this. Entries that are withheld cannot be recomputed; count them instead. A file proves that it agrees with itself and with receipts. To prove that no recent entries are missing, compare it with a head or receipt stored elsewhere.',
    ],
  },
  {
    id: 'versions',
    title: 'Versions',
    blocks: [
      'The payload types carry the version (`v1`), and payloads and the log file repeat it in `type` (`opbench-enrollment/1`, `opbench-snapshot/1`, `opbench-log/1`). Within version 1, the meaning of existing members and the bytes that are hashed or signed do not change. What devices sign is closed: a board refuses members that it does not know. Optional members such as `replaces` can be added; a device leaves them out at a board that does not know them. What boards answer, sign and log can gain members, which you MUST ignore if you do not know them; lines of the log file cannot.',
      'The endpoints follow the rules for [versions of the API](/developers#versions): a version that is to end is announced in `Deprecation` and `Sunset` at least 90 days before. Published logs, receipts and envelopes stay verifiable under the version they name.',
    ],
  },
];
