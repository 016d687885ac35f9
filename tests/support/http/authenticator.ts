/** An authenticator in software, which creates passkeys and signs with them as a browser would report it. */
import {
  type KeyObject,
  type JsonWebKey,
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface CreationOptions {
  challenge: string;
  user: { id: string };
  excludeCredentials?: { id: string }[];
}

/** What a browser and its authenticator report; tests change parts of it. */
interface Circumstances {
  origin: string;
  domain: string;
  /** Whether the user was verified, with a PIN or a fingerprint. */
  isVerified: boolean;
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A passkey with its private key. Copies share the key but not the counter. */
export class TestPasskey {
  readonly id = randomBytes(16);
  userHandle = '';
  counter = 0;
  readonly #seen: Circumstances;
  #key: KeyObject;
  #publicKey: JsonWebKey;

  constructor(seen: Circumstances) {
    this.#seen = seen;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = publicKey.export({ format: 'jwk' });
  }

  get rawId(): string {
    return this.id.toString('base64url');
  }

  /** Answers options for a new passkey, under another ID if a test claims one. */
  create(options: CreationOptions, over: Partial<Circumstances> = {}, id = this.id): string {
    this.userHandle = options.user.id;
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = Buffer.concat([this.#data(over, HAS_CREDENTIAL), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    const attestationObject = Buffer.from(
      isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
    ).toString('base64url');
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, over);
    return answer(id.toString('base64url'), { clientDataJSON, attestationObject });
  }

  /** Answers options for a sign-in. */
  use(options: { challenge: string }, over: Partial<Circumstances> = {}): string {
    const authenticatorData = this.#data(over, 0);
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, over);
    const clientHash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signed = Buffer.concat([authenticatorData, clientHash]);
    return answer(this.rawId, {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  #data(over: Partial<Circumstances>, flags: number): Buffer {
    const { domain, isVerified } = { ...this.#seen, ...over };
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flag = PRESENT | (isVerified ? VERIFIED : 0) | flags;
    return Buffer.concat([sha256(domain), Buffer.from([flag]), counter]);
  }

  #clientData(type: string, challenge: string, over: Partial<Circumstances>): string {
    const { origin } = { ...this.#seen, ...over };
    const text = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    return Buffer.from(text).toString('base64url');
  }

  #coseKey(): Buffer {
    const part = (name: 'x' | 'y') =>
      Uint8Array.from(Buffer.from(this.#publicKey[name] ?? '', 'base64url'));
    const key = new Map<number, Uint8Array | number>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part('x')],
      [-3, part('y')],
    ]);
    return Buffer.from(isoCBOR.encode(key as Parameters<typeof isoCBOR.encode>[0]));
  }
}

function answer(id: string, response: Readonly<Record<string, string>>): string {
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return JSON.stringify({ ...shared, authenticatorAttachment: 'platform', response });
}

/** A passkey in a browser that is at this address. */
export function aPasskey(origin: string): TestPasskey {
  return new TestPasskey({ origin, domain: new URL(origin).hostname, isVerified: true });
}
