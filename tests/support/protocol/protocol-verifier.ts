/**
 * A verifier of the protocol's test vectors, written from the protocol page alone. It uses Node's crypto and none of
 * this project's code.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
} from 'node:crypto';

type Json = Record<string, unknown>;

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

interface Key {
  seed_hex: string;
  public_key: string;
  public_key_hex: string;
  keyid: string;
}

interface Steps {
  payload_type: string;
  payload: string;
  payload_bytes: number;
  payload_sha256: string;
  pae_base64: string;
  pae_sha256: string;
}

export interface Vectors {
  base_url: string;
  now: string;
  keys: Record<'board' | 'device' | 'next_board' | 'other_device', Key>;
  pae: { payload_type: string; payload: string; pae_hex: string }[];
  codes: { typed: string; normalized: string | null; code_hash: string | null }[];
  enrollment: Steps & {
    code: string;
    code_hash: string;
    request: Json & { installation_id: string; public_key: string; proof: Envelope };
  };
  replacement: Steps & {
    code_hash: string;
    request: Json & { installation_id: string; proof: Envelope; replaces: string };
  };
  device_token: { method: string; path: string; signing_input: string; token: string };
  metrics: {
    telemetry: Record<'input' | 'output', number> &
      Record<'cache_read' | 'cache_write', number | null>;
    metrics: Record<string, number | null>;
    warnings: string[];
  }[];
  fingerprint: {
    fingerprint_key: string;
    tool: string;
    responses: { key: string; name: string; value: number }[];
    values: number[];
    fingerprint: string;
  };
  snapshot: Steps & { envelope: Envelope };
  correction: Steps & { envelope: Envelope };
  stated_days: Steps & { envelope: Envelope };
  receipt: {
    log_index: number;
    entry_hash: string;
    received_at: string;
    ruleset: string;
    receipt: Envelope;
    proof: { previous: string; salt: string };
  };
  log_head: { log_index: number; entry_hash: string; signature: Envelope };
  log_file: string[];
  invalid: { name: string; code: string; status: number; body: string }[];
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const sha256Hex = (data: string | Uint8Array) => sha256(data).toString('hex');

function pae(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

function publicKeyOf(key: string) {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
}

/** The payload of an envelope that this key signed. */
function open(envelope: Envelope, type: string, key: Pick<Key, 'keyid' | 'public_key'>): Json {
  const payload = Buffer.from(envelope.payload, 'base64');
  const own = envelope.signatures.find(({ keyid }) => keyid === key.keyid);
  equal(envelope.payloadType, type);
  equal(payload.toString('base64'), envelope.payload);
  ok(own);
  const signature = Buffer.from(own.sig, 'base64');
  ok(verify(null, pae(type, payload), publicKeyOf(key.public_key), signature));
  return JSON.parse(payload.toString('utf8')) as Json;
}

/** The quotient numerator / denominator, rounded to this many decimals, half away from zero. */
function ratio(numerator: bigint, denominator: bigint, decimals: number): number {
  const scaled = (2n * numerator * 10n ** BigInt(decimals) + denominator) / (2n * denominator);
  return Number(scaled) / 10 ** decimals;
}

type Counts = Vectors['metrics'][number]['telemetry'];

function metricsOf({ input, output, cache_write, cache_read }: Counts): Json {
  const [i, o, r] = [BigInt(input), BigInt(output), BigInt(cache_read ?? 0)];
  const hasRead = input > 0 && cache_read !== null;
  const hasAll = [input, output, cache_write, cache_read].every((count) => (count ?? 0) > 0);
  const given = (isDefined: boolean, value: () => number) => (isDefined ? value() : null);
  return {
    yield: given(hasRead, () => ratio(r * o, i * i, 2)),
    leverage: given(hasRead, () => ratio(r, i, 1)),
    velocity: given(input > 0, () => ratio(o, i, 3)),
    snr: given(input + output > 0, () => ratio(o, i + o, 4)),
    dev10x: given(hasAll, () => Math.round(Math.log10(Number(r) / input) * 100) / 100 + 0),
  };
}

function checkKeys({ keys }: Vectors): void {
  for (const { seed_hex, public_key, public_key_hex, keyid } of Object.values(keys)) {
    const raw = Buffer.from(public_key, 'base64url');
    const der = Buffer.from(`302e020100300506032b657004220420${seed_hex}`, 'hex');
    const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    equal(createPublicKey(secret).export({ format: 'jwk' }).x, public_key);
    equal(raw.toString('hex'), public_key_hex);
    equal(keyid, `SHA256:${sha256(raw).toString('base64url')}`);
    // Ed25519 is deterministic: the same seed and message give the same signature.
    deepStrictEqual(sign(null, raw, secret), sign(null, raw, secret));
  }
}

function checkSteps(steps: Steps): void {
  const payload = Buffer.from(steps.payload);
  const encoded = pae(steps.payload_type, payload);
  equal(payload.length, steps.payload_bytes);
  equal(sha256Hex(payload), steps.payload_sha256);
  equal(encoded.toString('base64'), steps.pae_base64);
  equal(sha256Hex(encoded), steps.pae_sha256);
}

function checkEnrollment({ enrollment, codes, keys, base_url, now }: Vectors): void {
  for (const { typed, normalized, code_hash } of codes) {
    const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0');
    const digits = plain.replace(/[IL]/g, '1');
    const isCode = /^[0-9A-HJKMNP-TV-Z]{15}$/.test(digits);
    deepStrictEqual([normalized, code_hash], isCode ? [digits, sha256Hex(digits)] : [null, null]);
  }
  checkSteps(enrollment);
  const { request, code_hash } = enrollment;
  const stated = open(request.proof, 'application/vnd.opbench.enrollment.v1+json', keys.device);
  deepStrictEqual(stated, {
    type: 'opbench-enrollment/1',
    audience: base_url,
    code_hash,
    public_key: request.public_key,
    installation_id: request.installation_id,
    issued_at: now,
  });
  equal(request.public_key, keys.device.public_key);
  equal(sha256Hex(enrollment.code.replaceAll('-', '')), code_hash);
}

function checkReplacement({ replacement, log_file, keys, base_url, now }: Vectors): void {
  checkSteps(replacement);
  const { request, code_hash } = replacement;
  const { public_key } = keys.other_device;
  const type = 'application/vnd.opbench.enrollment.v1+json';
  deepStrictEqual(open(request.proof, type, keys.other_device), {
    type: 'opbench-enrollment/1',
    audience: base_url,
    code_hash,
    public_key,
    installation_id: request.installation_id,
    issued_at: now,
    replaces: request.replaces,
  });
  ok(log_file.some((line) => line.includes(`\\"device\\":\\"${request.replaces}\\"`)));
}

function checkToken({ device_token, keys, base_url }: Vectors): void {
  const [header = '', claims = '', signature = ''] = device_token.token.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
  const { iat, exp, ...rest } = parse(claims);
  equal(`${header}.${claims}`, device_token.signing_input);
  const bytes = Buffer.from(signature, 'base64url');
  ok(
    verify(
      null,
      Buffer.from(device_token.signing_input),
      publicKeyOf(keys.device.public_key),
      bytes,
    ),
  );
  deepStrictEqual(parse(header), { alg: 'Ed25519', typ: 'device+jwt', kid: keys.device.keyid });
  ok(Number(exp) - Number(iat) <= 60);
  equal(rest['htu'], base_url + device_token.path);
  deepStrictEqual([rest['aud'], rest['htm']], [base_url, device_token.method]);
}

function checkFingerprint({ fingerprint: vector }: Vectors): void {
  const { fingerprint_key, tool, responses, values, fingerprint } = vector;
  const secret = Buffer.from(fingerprint_key, 'base64url');
  for (const { key, name, value } of responses) {
    equal(sha256(`${tool}\n${key}`).toString('base64url', 0, 8), name);
    equal(createHmac('sha256', secret).update(`${tool}\n${name}`).digest().readUInt32BE(0), value);
  }
  const different = [...new Set(responses.map(({ value }) => value))].sort((a, b) => a - b);
  deepStrictEqual(different.slice(0, 15), values);
  const bytes = values.map((value) => value.toString(16).padStart(8, '0')).join('');
  equal(Buffer.from(bytes, 'hex').toString('base64url'), fingerprint);
}

function checkSnapshots(vectors: Vectors): void {
  const { snapshot, correction, stated_days, metrics, keys, base_url } = vectors;
  for (const { telemetry, metrics: stated } of metrics) {
    deepStrictEqual(metricsOf(telemetry), stated);
  }
  for (const vector of [snapshot, correction, stated_days]) {
    checkSteps(vector);
    const version = vector === stated_days ? 2 : 1;
    const type = `application/vnd.opbench.snapshot.v${version}+json`;
    const payload = open(vector.envelope, type, keys.device);
    equal(JSON.stringify(payload), vector.payload);
    equal(payload['audience'], base_url);
    for (const record of payload['records'] as (typeof metrics)[number][]) {
      deepStrictEqual(metricsOf(record.telemetry), record.metrics);
    }
  }
}

/** The hash of an entry, from the data in its line. */
function entryHash(kind: string, entry: Json, digest: string): string {
  const { log_index, previous, received_at } = entry;
  return sha256Hex(
    `${String(log_index)}\n${kind}\n${String(previous)}\n${String(received_at)}\n${digest}\n`,
  );
}

function digestOf(salt: string, payload: string): string {
  return sha256Hex(Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(payload)]));
}

function checkReceipt({ receipt: answer, snapshot, keys }: Vectors): void {
  const { payloadType, payload, signatures } = snapshot.envelope;
  const text = JSON.stringify({
    payloadType,
    payload,
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })),
  });
  const { log_index, entry_hash, received_at, ruleset, proof } = answer;
  const entry = { log_index, received_at, previous: proof.previous };
  equal(entryHash('snapshot', entry, digestOf(proof.salt, text)), entry_hash);
  const type = 'application/vnd.opbench.receipt.v1+json';
  const signed = open(answer.receipt, type, keys.board);
  deepStrictEqual(signed, { log_index, entry_hash, received_at, ruleset });
}

function checkLine(text: string): Json {
  const check = /,"check":"([0-9a-f]{16})"\}$/.exec(text);
  ok(check);
  equal(sha256Hex(`${text.slice(0, -check[0].length)}}`).slice(0, 16), check[1]);
  return JSON.parse(text) as Json;
}

function checkLogFile({ log_file, log_head, keys }: Vectors): void {
  const lines = log_file.map(checkLine);
  const entries = lines.filter(({ line }) => line === 'entry');
  let previous = '0'.repeat(64);
  entries.forEach((entry, at) => {
    const { kind, salt, payload, payload_digest, entry_hash } = entry as Record<string, string>;
    deepStrictEqual([entry['log_index'], entry['previous']], [at + 1, previous]);
    if (salt !== null) equal(digestOf(salt ?? '', payload ?? ''), payload_digest);
    equal(entryHash(kind ?? '', entry, payload_digest ?? ''), entry_hash);
    previous = entry_hash ?? '';
  });
  const rotation = JSON.parse(String(entries[5]?.['payload'])) as Envelope;
  for (const key of [keys.board, keys.next_board]) {
    const type = 'application/vnd.opbench.board-key.v1+json';
    const { keyid, public_key } = keys.next_board;
    deepStrictEqual(open(rotation, type, key), { keyid, public_key, previous: keys.board.keyid });
  }
  const head = { log_index: entries.length, entry_hash: previous };
  const type = 'application/vnd.opbench.log-head.v1+json';
  deepStrictEqual(open(log_head.signature, type, keys.next_board), head);
  const signature = lines.at(-1)?.['signature'] as Envelope;
  const end = open(signature, 'application/vnd.opbench.public-log.v1+json', keys.next_board);
  const sections = ['header', 'board_key', 'entry', 'board', 'standing'].map((name) => {
    const own = log_file.filter((text) => text.startsWith(`{"line":"${name}"`));
    const sha = sha256Hex(own.map((text) => `${text}\n`).join(''));
    return [name, { lines: own.length, sha256: sha }];
  });
  deepStrictEqual(end, { type: 'opbench-log/1', ...head, sections: Object.fromEntries(sections) });
}

/** Recomputes every vector. Throws if one does not follow from the others. */
export function verifyVectors(vectors: Vectors): void {
  checkKeys(vectors);
  for (const { payload_type, payload, pae_hex } of vectors.pae) {
    equal(pae(payload_type, Buffer.from(payload)).toString('hex'), pae_hex);
  }
  checkEnrollment(vectors);
  checkReplacement(vectors);
  checkToken(vectors);
  checkFingerprint(vectors);
  checkSnapshots(vectors);
  checkReceipt(vectors);
  checkLogFile(vectors);
}
