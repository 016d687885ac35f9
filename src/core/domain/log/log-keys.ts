/**
 * The keys in a log, of devices and of the board, and what each may sign at which position.
 *
 * @module
 */
import {
  BoardKeyEnvelope,
  BoardKeyStatement,
  type EnrollPayload,
  LOG_KEY_PAYLOAD_TYPE,
  LogKeyStatement,
  type RevokePayload,
} from '#core/schema/log-payload.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { RECEIPT_PAYLOAD_TYPE, type Receipt } from '#core/schema/snapshot.ts';
import { fromBase64, fromBase64Url } from '../text/base64.ts';
import { DeviceKeys } from './device-keys.ts';
import {
  type OpenedEnvelope,
  type Sha256,
  keyIdOf,
  preAuthEncoding,
  takeApart,
} from '../signing/dsse.ts';
import { DomainError } from '../text/errors.ts';
import { parseAs } from '../text/faults.ts';
import { parseJsonBytes } from '../text/json.ts';
import { NoteError } from '../tlog/note-error.ts';
import { type NoteKey, SIGNATURE_TYPES, parseVkey } from '../tlog/note-key.ts';

/** The cryptographic functions for checking signatures. */
export interface KeyTools {
  sha256: Sha256;
  verify: (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean;
  isSoundPublicKey: (publicKey: Uint8Array) => boolean;
}

/** A device's key as the log enrolled it. */
export interface LoggedKey {
  operator: string;
  device: string;
  publicKey: Uint8Array;
  isRevoked: boolean;
  isCompromised: boolean;
}

/** A board key, with its log entry. */
export interface LoggedBoardKey {
  keyid: string;
  public_key: string;
  log_index: number;
  received_at: string;
}

/** The keys after the applied entries. Methods throw a {@linkcode DomainError} if an entry is invalid. */
export class LogKeys {
  readonly #tools: KeyTools;
  readonly devices = new DeviceKeys<LoggedKey>();
  readonly #board: LoggedBoardKey[] = [];

  constructor(tools: KeyTools) {
    this.#tools = tools;
  }

  /** The board's keys. The last one is current. */
  get board(): readonly LoggedBoardKey[] {
    return this.#board;
  }

  enterBoardKey({ log_index, received_at }: EntryLine, payload: unknown): void {
    const envelope = parseAs(BoardKeyEnvelope, payload, 'The envelope');
    const bytes = fromBase64(envelope.payload) ?? new Uint8Array();
    const stated = parseAs(BoardKeyStatement, parseJsonBytes(bytes), 'The payload');
    const current = this.#board.at(-1) ?? null;
    if (stated.previous !== (current?.keyid ?? null)) {
      throw new DomainError('signature_invalid', 'It does not name the previous key');
    }
    this.#soundKey(stated);
    const signed = preAuthEncoding(envelope.payloadType, bytes);
    for (const key of current ? [stated, current] : [stated]) {
      const own = envelope.signatures.find(({ keyid }) => keyid === key.keyid);
      if (!own || !this.#holds(signed, fromBase64(own.sig), key.public_key)) {
        throw new DomainError('signature_invalid', `${key.keyid} did not sign it`);
      }
    }
    const { keyid, public_key } = stated;
    this.#board.push({ keyid, public_key, log_index, received_at });
  }

  /** Checks the key of the log's checkpoints, which the board's key vouches for. */
  enterLogKey(payload: unknown): void {
    const bytes = this.openByBoard(payload, LOG_KEY_PAYLOAD_TYPE);
    const { origin, vkey } = parseAs(LogKeyStatement, parseJsonBytes(bytes), 'The payload');
    const { name, type, publicKey } = this.#noteKey(vkey);
    const isSound = type === SIGNATURE_TYPES.ed25519 && this.#tools.isSoundPublicKey(publicKey);
    if (name === origin && isSound) return;
    throw new DomainError('public_key_invalid', `The key of the log ${origin} is not valid`);
  }

  #noteKey(vkey: string): NoteKey {
    try {
      return parseVkey(vkey, this.#tools.sha256);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      throw new DomainError('public_key_invalid', error.message);
    }
  }

  enroll({ operator, device, keyid, public_key, replaces }: EnrollPayload): void {
    const publicKey = this.#soundKey({ keyid, public_key });
    if (this.devices.get(keyid)) {
      throw new DomainError('key_known', `${keyid} is already enrolled`);
    }
    const key = { operator, device, publicKey, isRevoked: false, isCompromised: false };
    this.devices.add(keyid, key);
    if (replaces !== undefined) this.#replace({ operator, device, replaces });
  }

  /** The replaced device's earlier signatures stay valid, but its keys can no longer sign. */
  #replace(replacement: { operator: string; device: string; replaces: string }): void {
    const { replaces } = replacement;
    const isCompromised = this.devices.ofDevice(replaces).every((key) => key.isCompromised);
    const moved = isCompromised ? [] : this.devices.replace(replacement);
    if (moved.length === 0) {
      throw new DomainError('key_unknown', `The operator has no device ${replaces} to replace`);
    }
    for (const key of moved) key.isRevoked = true;
  }

  /** Revokes a key. If the device is compromised, all its keys are revoked. */
  revoke({ operator, device, keyid, reason }: RevokePayload): void {
    const key = this.devices.get(keyid);
    if (key?.operator !== operator || key.device !== device) {
      throw new DomainError('key_unknown', `The operator has no key ${keyid} on that device`);
    }
    key.isRevoked = true;
    if (reason !== 'compromised') return;
    for (const other of this.devices.ofDevice(device)) {
      other.isRevoked = true;
      other.isCompromised = true;
    }
  }

  /** Checks the signature of a submission. */
  checkSnapshot({ keyid, signed, signature }: OpenedEnvelope): void {
    const key = this.devices.get(keyid);
    if (!key) throw new DomainError('key_unknown', `${keyid} is not enrolled at this position`);
    if (key.isRevoked) throw new DomainError('key_revoked', `${keyid} is revoked at this position`);
    if (!this.#tools.verify(signed, signature, key.publicKey)) {
      throw new DomainError('signature_invalid', `${keyid} did not sign these bytes`);
    }
  }

  /** Checks an entry's receipt, which the board key of that position must have signed. */
  checkReceipt(entry: EntryLine, ruleset: string | null): void {
    const bytes = this.openByBoard(entry.receipt, RECEIPT_PAYLOAD_TYPE);
    const receipt = parseJsonBytes(bytes) as Partial<Receipt> | null;
    const { log_index, entry_hash, received_at } = entry;
    const expected: Record<string, unknown> = { log_index, entry_hash, received_at, ruleset };
    for (const [name, value] of Object.entries(expected)) {
      const stated = receipt?.[name as keyof Receipt];
      if (stated !== value) {
        const detail = `The receipt's ${name} is ${String(stated)} instead of ${String(value)}`;
        throw new DomainError('signature_invalid', detail);
      }
    }
  }

  /** The payload of an envelope that the board's current key signed. */
  openByBoard(envelope: unknown, payloadType: string): Uint8Array {
    const { keyid, payload, signed, signature } = takeApart(envelope, payloadType);
    const current = this.#board.at(-1);
    if (current?.keyid !== keyid) {
      throw new DomainError('key_unknown', `${keyid} is not the board's key at this position`);
    }
    if (!this.#holds(signed, signature, current.public_key)) {
      throw new DomainError('signature_invalid', "The board's key did not sign these bytes");
    }
    return payload;
  }

  #holds(signed: Uint8Array, signature: Uint8Array | null, publicKey: string): boolean {
    const key = fromBase64Url(publicKey);
    return signature?.length === 64 && key !== null && this.#tools.verify(signed, signature, key);
  }

  #soundKey({ keyid, public_key }: { keyid: string; public_key: string }): Uint8Array {
    const bytes = fromBase64Url(public_key);
    if (bytes?.length !== 32 || keyIdOf(bytes, this.#tools.sha256) !== keyid) {
      throw new DomainError('public_key_invalid', `${keyid} does not match its public key`);
    }
    if (!this.#tools.isSoundPublicKey(bytes)) {
      throw new DomainError('public_key_invalid', `${keyid} is not a valid Ed25519 key`);
    }
    // A copy, because the decoded bytes may be part of a large buffer and would keep it in memory.
    return new Uint8Array(bytes);
  }
}
