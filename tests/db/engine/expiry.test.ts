import { expect, test } from 'vitest';
import { expiryIn } from '#db/engine/expiry.ts';
import { NOW, NOW_MS } from '#tests/support/board/builders.ts';
import { aPopulatedDatabase } from '#tests/support/board/database.ts';

const AT = [new Date(NOW_MS).toISOString(), new Date(NOW_MS + 1).toISOString()];
const AT_S = [NOW_MS / 1000, NOW_MS / 1000 + 1];

/** Two rows of each table with expiry: one expires now, the other later. */
const ROWS: [table: string, row: (end: string | number, id: string) => object, ends?: unknown[]][] =
  [
    [
      'sessions',
      (expires_at, id) => ({
        id_hash: id,
        operator_id: 1,
        created_at: NOW,
        expires_at,
        public_id: id,
      }),
    ],
    [
      'login_links',
      (expires_at, id) => ({ token_hash: id, operator_id: 1, created_at: NOW, expires_at }),
    ],
    [
      'enrollment_codes',
      (expires_at, id) => ({ code_hash: id, operator_id: 1, created_at: NOW, expires_at }),
    ],
    [
      'mail_links',
      (expires_at, id) => ({
        token_hash: id,
        browser_hash: '',
        code_hash: '',
        subject: '',
        label: '',
        operator_id: 1,
        created_at: NOW,
        expires_at,
      }),
    ],
    [
      'sign_in_attempts',
      (expires_at, id) => ({
        state_hash: id,
        browser_hash: '',
        method: 'github',
        code_verifier: '',
        operator_id: 1,
        expires_at,
      }),
    ],
    ['former_codenames', (until, id) => ({ codename: id, operator_id: 1, until })],
    ['reserved_codenames', (until, id) => ({ codename_hash: id, until })],
    ['device_token_ids', (expires_at, id) => ({ jti: id, keyid: 'k', expires_at }), AT_S],
    [
      'oidc_entities',
      (expires_at, id) => ({ kind: 'Session', id_hash: id, payload: '{}', expires_at }),
      AT_S,
    ],
  ];

test.each(ROWS)('deletes expired rows of %s, and only those', (table, row, ends = AT) => {
  const db = aPopulatedDatabase();
  for (const [at, end] of ends.entries()) {
    const values = row(end as string, String(at));
    const names = Object.keys(values);
    const marks = names.map((name) => `@${name}`).join();
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`).run(values);
  }

  expiryIn(db).forgetExpired(new Date(NOW_MS));

  expect(db.prepare(`SELECT * FROM ${table}`).all()).toEqual([
    expect.objectContaining(row(ends[1] as string, '1')),
  ]);
});
