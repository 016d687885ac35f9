/**
 * Trust policies: which logs and witnesses are known, and which witnesses must have cosigned a checkpoint.
 *
 * @see {@link https://c2sp.org/tlog-policy | C2SP tlog-policy, text of 2026-06-22}
 * @module
 */
import { hex } from '../log/log-entry.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { parseCount } from './checkpoint.ts';
import { type NoteKey, SIGNATURE_TYPES, parseVkey } from './note-key.ts';
import { NoteError } from './note-error.ts';

/** A log or a witness in a policy. */
export interface PolicyKey {
  key: NoteKey;
  /** Null if the policy gives none. */
  url: string | null;
}

/** What must have cosigned: a witness, or a number of the members. */
export type Quorum = { witness: string } | { threshold: number; members: readonly Quorum[] };

export interface Policy {
  logs: readonly PolicyKey[];
  /** By the name that they have in the policy. */
  witnesses: ReadonlyMap<string, PolicyKey>;
  quorum: Quorum;
}

/** No witness is required. */
const NONE: Quorum = { threshold: 0, members: [] };

const MAX_CHARACTERS = 1024 * 1024;
/** The most logs, and the most witnesses and groups together. */
const MAX_NAMES = 256;

const LOG_TYPES: readonly number[] = [SIGNATURE_TYPES.ed25519, SIGNATURE_TYPES.mlDsaCosignature];
const WITNESS_TYPES: readonly number[] = [
  SIGNATURE_TYPES.cosignature,
  SIGNATURE_TYPES.mlDsaCosignature,
];

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/**
 * Parses a policy. Each line ends with a line feed, so a file that was cut off is rejected.
 *
 * @throws {NoteError} `policy_invalid` with the line, if the policy is malformed or too large.
 */
export function parsePolicy(text: string, sha256: Sha256): Policy {
  if (text.length > MAX_CHARACTERS)
    throw invalid(`A policy has at most ${MAX_CHARACTERS} characters`);
  if (!text.endsWith('\n')) throw invalid('The last line must end with a line feed');
  const reader = new PolicyReader(sha256);
  text
    .slice(0, -1)
    .split('\n')
    .forEach((line, at) => reader.add(line, at + 1));
  return reader.finish();
}

/** Whether these witnesses, by their names in the policy, form the quorum. */
export function isQuorum(quorum: Quorum, witnesses: ReadonlySet<string>): boolean {
  if ('witness' in quorum) return witnesses.has(quorum.witness);
  const { threshold, members } = quorum;
  return members.filter((member) => isQuorum(member, witnesses)).length >= threshold;
}

class PolicyReader {
  readonly #sha256: Sha256;
  readonly #logs: PolicyKey[] = [];
  readonly #witnesses = new Map<string, PolicyKey>();
  /** Witnesses and groups so far. */
  readonly #names = new Map<string, Quorum>();
  readonly #members = new Set<string>();
  #quorum: Quorum | null = null;
  #line = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(text: string, line: number): void {
    this.#line = line;
    if (CONTROL.test(text)) throw this.#invalid('Control characters are not allowed');
    const [keyword, ...words] = text.split(/[ \t]+/).filter((word) => word !== '');
    if (keyword === undefined || keyword.startsWith('#')) return;
    switch (keyword) {
      case 'log':
        return this.#addLog(words);
      case 'witness':
        return this.#addWitness(words);
      case 'group':
        return this.#addGroup(words);
      case 'quorum':
        return this.#setQuorum(words);
      default:
        throw this.#invalid('A line begins with log, witness, group, quorum or #');
    }
  }

  finish(): Policy {
    if (!this.#quorum) throw invalid('The quorum line is missing');
    return { logs: this.#logs, witnesses: this.#witnesses, quorum: this.#quorum };
  }

  #addLog([vkey, url, ...more]: string[]): void {
    if (vkey === undefined || more.length > 0) throw this.#invalid('A log has a vkey and a URL');
    if (this.#logs.length >= MAX_NAMES)
      throw this.#invalid(`A policy has at most ${MAX_NAMES} logs`);
    const key = this.#key(vkey, LOG_TYPES, this.#logs);
    this.#logs.push({ key, url: url ?? null });
  }

  #addWitness([name, vkey, url, ...more]: string[]): void {
    if (name === undefined || vkey === undefined || more.length > 0) {
      throw this.#invalid('A witness has a name, a vkey and a URL');
    }
    const key = this.#key(vkey, WITNESS_TYPES, [...this.#witnesses.values()]);
    this.#define(name, { witness: name });
    this.#witnesses.set(name, { key, url: url ?? null });
  }

  #addGroup([name, rule, ...names]: string[]): void {
    if (name === undefined || rule === undefined || names.length === 0) {
      throw this.#invalid('A group has a name, a threshold and members');
    }
    const threshold = rule === 'any' ? 1 : rule === 'all' ? names.length : parseCount(rule);
    if (threshold === null || threshold < 1 || threshold > names.length) {
      throw this.#invalid('The threshold is any, all, or from 1 to the number of members');
    }
    const members = names.map((member) => {
      if (this.#members.has(member))
        throw this.#invalid(`${member} is already a member of a group`);
      this.#members.add(member);
      return this.#known(member);
    });
    this.#define(name, { threshold, members });
  }

  #setQuorum([name, ...more]: string[]): void {
    if (name === undefined || more.length > 0) throw this.#invalid('A quorum has one name');
    if (this.#quorum) throw this.#invalid('A policy has only one quorum');
    this.#quorum = name === 'none' ? NONE : this.#known(name);
  }

  #known(name: string): Quorum {
    const known = this.#names.get(name);
    if (!known) throw this.#invalid(`No line before defines ${name}`);
    return known;
  }

  #define(name: string, quorum: Quorum): void {
    if (name === 'none' || this.#names.has(name)) throw this.#invalid(`The name ${name} is taken`);
    if (this.#names.size >= MAX_NAMES) {
      throw this.#invalid(`A policy has at most ${MAX_NAMES} witnesses and groups`);
    }
    this.#names.set(name, quorum);
  }

  #key(vkey: string, types: readonly number[], others: readonly PolicyKey[]): NoteKey {
    const key = this.#parseKey(vkey);
    if (!types.includes(key.type)) {
      throw this.#invalid(`A key of signature type ${key.type} cannot be used here`);
    }
    const isKnown = others.some((other) => hex(other.key.publicKey) === hex(key.publicKey));
    if (isKnown) throw this.#invalid(`An earlier line has the same public key as ${key.name}`);
    return key;
  }

  #parseKey(vkey: string): NoteKey {
    try {
      return parseVkey(vkey, this.#sha256);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      throw this.#invalid(error.message);
    }
  }

  #invalid(message: string): NoteError {
    return invalid(message, this.#line);
  }
}

function invalid(message: string, line: number | null = null): NoteError {
  return new NoteError('policy_invalid', message, line);
}
