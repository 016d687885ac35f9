import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateKeyPair } from '#core/domain/signing/ed25519.ts';
import { type Identity, Keystore } from '#agent/state/keystore.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

function anIdentity(board: string): Identity {
  return {
    board,
    board_name: 'Board',
    board_public_key: 'A'.repeat(43),
    codename: 'ada',
    device_id: '0b3b01f5-d315-4010-9c49-fb4065eca58e',
    keyid: `SHA256:${'A'.repeat(43)}`,
    public_key: 'A'.repeat(43),
    secret_key: 'B'.repeat(43),
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('Keystore', () => {
  test('stores one identity for each board, readable by its owner only', async () => {
    const folder = aFolder();
    const keystore = new Keystore(folder);
    const boards = ['https://a.example', 'https://a.example:8443'];
    keystore.installationId();
    await keystore.pendingKey('https://b.example', generateKeyPair);

    boards.map(anIdentity).forEach((identity) => keystore.save(identity));

    expect(keystore.identities().sound.map(({ board }) => board)).toEqual(boards);
    expect(keystore.identity('https://c.example')).toBeNull();
    expect(filesIn(folder)).toHaveLength(4);
    filesIn(folder).forEach((path) => expectMode(path, 0o600));
  });

  test('keeps the installation ID when a key is erased', () => {
    const keystore = new Keystore(aFolder());
    const id = keystore.installationId();
    keystore.save(anIdentity('https://a.example'));

    keystore.erase('https://a.example');

    expect(keystore.identity('https://a.example')).toBeNull();
    expect(keystore.installationId()).toBe(id);
  });

  test('erases temporary files of interrupted writes', async () => {
    const folder = aFolder();
    const keystore = new Keystore(folder);
    const board = 'https://a.example';
    keystore.save(anIdentity(board));
    await keystore.pendingKey(board, generateKeyPair);
    const left = ['identity.json.123.tmp', 'pending-key.json.4567.tmp', 'sent.json'];
    left.forEach((name) => writeFileSync(join(keystore.folderOf(board), name), '{}'));

    keystore.erase(board);

    expect(readdirSync(keystore.folderOf(board))).toEqual(['sent.json']);
  });

  test('returns the same pending key until it is saved as an identity', async () => {
    const keystore = new Keystore(aFolder());
    const board = 'https://a.example';

    const first = await keystore.pendingKey(board, generateKeyPair);
    const again = await keystore.pendingKey(board, generateKeyPair);
    keystore.save(anIdentity(board));
    const next = await keystore.pendingKey(board, generateKeyPair);

    expect(Buffer.from(again.secretKey)).toEqual(Buffer.from(first.secretKey));
    expect(Buffer.from(next.secretKey)).not.toEqual(Buffer.from(first.secretKey));
  });

  test('reports a damaged file, and still returns the others', () => {
    const keystore = new Keystore(aFolder());
    ['https://a.example', 'https://b.example'].forEach((board) => keystore.save(anIdentity(board)));
    writeFileSync(join(keystore.folderOf('https://a.example'), 'identity.json'), '{"board":');

    const { sound, damaged } = keystore.identities();

    expect(sound).toEqual([anIdentity('https://b.example')]);
    expect(damaged.map(({ message }) => message)).toEqual([
      expect.stringContaining('identity.json is damaged'),
    ]);
  });
});
