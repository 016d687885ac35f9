import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { COPIED } from '#db/replica-tables.ts';
import { migratedFile } from '#tests/support/board/context.ts';

/** Columns of copied tables that stay with the board, and why. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  // Decided for each column: private, of no use to pages, or derived.
  operators: [
    'data_opt_out',
    'anonymity_epoch',
    'codename_confirmed',
    'renamed_at',
    'hidden_at',
    'erasing_at',
    'logged_bytes',
    'role',
  ],
  // Daily counts are copied as they count, not as they were stated.
  daily_counts: [
    'stated_input',
    'stated_output',
    'stated_cache_write',
    'stated_cache_read',
    'fingerprint',
  ],
  unmoved_buckets: [
    'stated_input',
    'stated_output',
    'stated_cache_write',
    'stated_cache_read',
    'fingerprint',
  ],
  devices: ['installation_id', 'replaced_by', 'replaced_at'],
  packed_entries: ['kind', 'mark', 'salt', 'payload'],
  packed_submissions: ['idempotency_key_hash', 'payload_hash', 'signature'],
  log_entries: ['salt', 'payload'],
  submissions: ['idempotency_key_hash'],
};

/** Tables of which no row is copied. */
const KEPT_TABLES = [
  'account_events',
  'announced_challenges',
  'announced_leaders',
  'api_keys',
  'applications',
  'audit_log',
  'checked_operators',
  'contact_answers',
  'contact_messages',
  'day_vectors',
  'device_token_ids',
  'dictionaries',
  'enrollment_codes',
  'identities',
  'invitations',
  'login_links',
  'mail_links',
  'mail_queue',
  'member_mail',
  'migrations',
  'oidc_entities',
  'operator_changes',
  'passkey_challenges',
  'passkeys',
  'publication_parts',
  'publications',
  'reserved_codenames',
  'secrets',
  'sessions',
  'setup_links',
  'sign_in_attempts',
  'signal_records',
  'submission_checks',
  'tiles',
  'upstream_tokens',
  'usage_blocks',
  'usual_days',
  'webhook_deliveries',
  'webhook_events',
  'webhook_subjects',
  'webhooks',
  'witnessed_logs',
];

/** Columns that are copied with another value in place of their own: never the value itself. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  operators: ['created_at'],
  devices: ['public_id', 'label', 'created_at'],
  board_keys: ['secret_key'],
  avatars: ['body', 'updated_at'],
  packed_entries: ['payload_digest', 'form'],
  packed_submissions: ['submission_id', 'answer'],
  log_entries: ['previous', 'payload_digest'],
  submissions: ['submission_id', 'payload_hash', 'answer'],
};

const db = new Database(migratedFile());
const tables = db
  .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
  .pluck()
  .all() as string[];

test('every table is copied or stays with the board', () => {
  expect([...Object.keys(COPIED), ...KEPT_TABLES].sort()).toEqual(tables.toSorted());
});

test.each(Object.entries(COPIED))('every column of %s is decided', (table, copied) => {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);

  expect([...Object.keys(copied), ...(KEPT[table] ?? [])].sort()).toEqual(columns.toSorted());
});

test.each(Object.entries(REPLACED))(
  'some columns of %s are copied without their values',
  (table, columns) => {
    const copied = COPIED[table] ?? {};
    const names = Object.keys(copied);

    for (const column of columns) {
      const words = copied[column]?.match(/\w+/g) ?? [];
      expect(words).not.toContain(column);
      expect(
        words.filter((word) => names.includes(word) && !['id', 'log_index'].includes(word)),
      ).toEqual([]);
    }
  },
);
