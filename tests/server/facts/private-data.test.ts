import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { COPIED } from '#db/replica-tables.ts';
import { zstdDecompressSync } from '#db/threads/compression.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  dumpOf,
  execute,
  publishAndKeep,
  testContext,
} from '#tests/support/board/context.ts';
import { FactsFolder } from '#tests/support/board/facts.ts';
import { aSubmitter } from '#tests/support/board/small-board.ts';

const MODES = ['identified', 'pseudonymous', 'anonymous', 'private'] as const;

/** A board with an operator of each privacy mode, and with a value of its own in every private column. */
async function aBoardOfAllModes(): Promise<TestContext> {
  const ctx = testContext();
  for (const mode of MODES) {
    await aSubmitter(ctx, `${mode}-name`, bucketsOfDays(20, '2026-02-15'));
    const isOpen = mode === 'identified' || mode === 'pseudonymous';
    const seen = isOpen ? `'${mode}-name'` : mode === 'anonymous' ? `'anonymous-0001'` : 'NULL';
    execute(
      ctx,
      `UPDATE operators SET privacy_mode = '${mode}', public_name = ${seen}, is_open = ${Number(isOpen)},
        display_name = 'display of ${mode}', bio = 'bio of ${mode}', location = 'town of ${mode}',
        links = '["https://links.example/${mode}"]', cohort_id = 'cohort of ${mode}',
        renamed_at = 'renamed ${mode}' WHERE codename = '${mode}-name'`,
    );
  }
  execute(ctx, `UPDATE devices SET label = 'label ' || id`);
  execute(
    ctx,
    `INSERT INTO identities SELECT 'identity ' || id, id, 'github', 'subject ' || id, 'person' || id || '@mail.example',
      '2026-01-01T00:00:00.000Z', NULL FROM operators`,
  );
  execute(
    ctx,
    `INSERT INTO sessions (id_hash, operator_id, created_at, expires_at, public_id, label)
     SELECT 'session ' || id, id, 'made', 'expires', 'public session ' || id, '192.0.2.' || id FROM operators`,
  );
  execute(
    ctx,
    `INSERT INTO former_codenames SELECT 'former-of-' || codename, id, '2027-01-01T00:00:00.000Z' FROM operators`,
  );
  const body = randomBytes(64).toString('hex');
  execute(
    ctx,
    `INSERT INTO avatars SELECT id, '${'0'.repeat(63)}' || id, CAST('${body}' || codename AS BLOB), 'pictured ' || id FROM operators`,
  );
  publishAndKeep(ctx);
  return ctx;
}

/** Everything that is stored elsewhere, as it can be searched. */
async function contentsOf(ctx: TestContext): Promise<Buffer[]> {
  const folder = new FactsFolder();
  await folder.export(ctx);
  return [...folder.objects].map(([key, bytes]) => {
    return key.startsWith('facts/files/') ? Buffer.from(bytes) : zstdDecompressSync(bytes);
  });
}

test('no value of a column that stays with the board is in any object', async () => {
  const ctx = await aBoardOfAllModes();
  const contents = await contentsOf(ctx);
  const isThere = (bytes: Buffer) => contents.some((content) => content.includes(bytes));
  const kept: string[] = [];
  const copied = new Set<string>();
  for (const [table, rows] of Object.entries(dumpOf(ctx))) {
    for (const row of rows as Record<string, unknown>[]) {
      for (const [column, value] of Object.entries(row)) {
        const text = searchable(value);
        if (text === null) continue;
        if (COPIED[table]?.[column] === column) copied.add(text);
        else if (COPIED[table]?.[column] === undefined) kept.push(text);
      }
    }
  }
  const found = kept.filter((text) => !copied.has(text) && isThere(Buffer.from(text, 'latin1')));

  expect(kept.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

/** Texts and bytes that are long enough to be nobody else's. */
function searchable(value: unknown): string | null {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
  return typeof text === 'string' && text.length >= 12 ? text : null;
}

test('only what a privacy mode shows is in any object', async () => {
  const ctx = await aBoardOfAllModes();
  const all = Buffer.concat(await contentsOf(ctx)).toString('latin1');
  const isThere = (text: string) => all.includes(text);
  const shown = MODES.map((mode) =>
    [
      `${mode}-name`,
      `former-of-${mode}-name`,
      `display of ${mode}`,
      `bio of ${mode}`,
      `town of ${mode}`,
      `links.example/${mode}`,
      `cohort of ${mode}`,
    ].map(isThere),
  );

  expect(shown).toEqual([
    [true, true, true, true, true, true, true],
    [true, true, false, false, false, false, false],
    [false, false, false, false, false, false, false],
    [false, false, false, false, false, false, false],
  ]);
  expect(isThere('anonymous-0001')).toBe(true);
  expect(all).not.toMatch(/@mail\.example|192\.0\.2\.|label \d|pictured/);
});
