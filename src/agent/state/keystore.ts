import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { fromBase64Url, toBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf } from '#core/domain/signing/dsse.ts';
import { type KeyPair, type Sign, signerOf } from '#core/domain/signing/ed25519.ts';
import { KeyId, PublicKey } from '#core/schema/scalars.ts';
import { EXIT, Failure } from '../failure.ts';
import { jsonAs } from '../json-as.ts';
import { eraseFingerprintKey } from './board-files.ts';
import { forgetLastStanding } from './last-standing.ts';
import { listFolder, readText, removeWhole, writePrivate } from './atomic-file.ts';
import { sha256 } from './sha256.ts';

/** The identity of this device on one board. The file contains the private key. */
export const Identity = z.strictObject({
  board: z.url(),
  board_name: z.string(),
  board_public_key: PublicKey,
  codename: z.string(),
  device_id: z.uuid(),
  keyid: KeyId,
  public_key: PublicKey,
  secret_key: z.string(),
});
export type Identity = z.infer<typeof Identity>;

/** The identities of this device, and the errors of damaged ones. */
export interface Identities {
  sound: Identity[];
  damaged: Failure[];
}

/** The key of an unfinished enrollment. */
const PendingKey = z.strictObject({
  /** Absent in files of versions before 0.6. */
  board: z.url().optional(),
  public_key: PublicKey,
  secret_key: z.string(),
});

const PENDING = 'pending-key.json';

const Installation = z.strictObject({ installation_id: z.uuid() });

export class Keystore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The ID of this installation, created at first use. It does not change with keys. */
  installationId(): string {
    const known = readAs(this.#installationPath(), Installation);
    return known?.installation_id ?? this.renewInstallation();
  }

  /** Gives this installation a new ID, so that boards treat it as another device. */
  renewInstallation(installation_id: string = randomUUID()): string {
    writePrivate(this.#installationPath(), JSON.stringify({ installation_id }));
    return installation_id;
  }

  folderOf(board: string): string {
    const { host } = new URL(board);
    const digest = sha256(board).toString('hex').slice(0, 8);
    return join(this.folder, 'boards', `${host.replaceAll(/[^a-z0-9.-]/gi, '_')}-${digest}`);
  }

  identity(board: string): Identity | null {
    return readAs(join(this.folderOf(board), 'identity.json'), Identity);
  }

  /** All identities, sorted by board. A damaged one does not affect the others. */
  identities(): Identities {
    const boards = join(this.folder, 'boards');
    const sound: Identity[] = [];
    const damaged: Failure[] = [];
    for (const name of listFolder(boards)) {
      try {
        const identity = readAs(join(boards, name, 'identity.json'), Identity);
        if (identity) sound.push(identity);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        damaged.push(error);
      }
    }
    return { sound: sound.sort((a, b) => (a.board < b.board ? -1 : 1)), damaged };
  }

  /** Whether there is a key for any board, even a damaged one. */
  isEnrolled(): boolean {
    const { sound, damaged } = this.identities();
    return sound.length + damaged.length > 0;
  }

  save(identity: Identity): void {
    writePrivate(join(this.folderOf(identity.board), 'identity.json'), toJson(identity));
    this.dropPending(identity.board);
  }

  /** Deletes the key. The record of sent counts stays. */
  erase(board: string): void {
    removeWhole(join(this.folderOf(board), 'identity.json'));
    eraseFingerprintKey(this.folderOf(board));
    forgetLastStanding(this.folderOf(board));
    this.dropPending(board);
  }

  dropAllPending(): void {
    const boards = join(this.folder, 'boards');
    for (const name of listFolder(boards)) removeWhole(join(boards, name, PENDING));
  }

  /** Deletes the key of an unfinished enrollment. */
  dropPending(board: string): void {
    removeWhole(this.#pendingPath(board));
  }

  /** The boards of unfinished enrollments: addresses, or hosts if the file has no address. */
  pendingBoards(): string[] {
    const boards = join(this.folder, 'boards');
    return listFolder(boards).flatMap((name) => {
      const path = join(boards, name, PENDING);
      if (!existsSync(path)) return [];
      const { board } = jsonAs(z.object({ board: z.url() }), readText(path) ?? '') ?? {};
      return [board ?? name.replace(/-[0-9a-f]{8}$/, '')];
    });
  }

  hasPending(board: string): boolean {
    return existsSync(this.#pendingPath(board));
  }

  /** The key of an unfinished enrollment, or a new one from `make`. */
  async pendingKey(board: string, make: () => Promise<KeyPair>): Promise<KeyPair> {
    const pending = readAs(this.#pendingPath(board), PendingKey);
    if (pending) return keyPairOf(pending);
    const key = await make();
    const stored = {
      board,
      public_key: toBase64Url(key.publicKey),
      secret_key: toBase64Url(key.secretKey),
    };
    writePrivate(this.#pendingPath(board), toJson(stored));
    return key;
  }

  #installationPath(): string {
    return join(this.folder, 'installation.json');
  }

  #pendingPath(board: string): string {
    return join(this.folderOf(board), PENDING);
  }
}

export function signingKey({ secret_key, keyid }: Identity): { keyid: string; sign: Sign } {
  return { keyid, sign: signerOf(fromBase64Url(secret_key) ?? new Uint8Array()) };
}

export function keyIdOfKey({ publicKey }: KeyPair): string {
  return keyIdOf(publicKey, sha256);
}

function keyPairOf(stored: { public_key: string; secret_key: string }): KeyPair {
  return {
    publicKey: fromBase64Url(stored.public_key) ?? new Uint8Array(),
    secretKey: fromBase64Url(stored.secret_key) ?? new Uint8Array(),
  };
}

/** Makes a file private again. After a restore from a backup, it may be readable by others. */
function keepPrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // The folder may be read-only.
  }
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readAs<Output>(path: string, schema: z.ZodType<Output>): Output | null {
  const text = readText(path);
  if (text === null) return null;
  const value = jsonAs(schema, text);
  if (value === null) {
    throw new Failure(
      EXIT.usage,
      `${path} is damaged`,
      'Delete the file and enroll again with a new code.',
    );
  }
  keepPrivate(path);
  return value;
}
