// What fingerprints cost: the bytes of a submission of three records with and without them, the time from
// its buckets to what counts of them beside another device's, and the snapshots that a board takes in a
// second. Aims: at most 400 bytes more, and 5 % slower.
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { openEnvelope, parseEnvelope } from '#core/domain/signing/dsse.ts';
import { settleGroup } from '#core/domain/counting/counting.ts';
import {
  FINGERPRINT_VALUES,
  fingerprintOf,
  formatFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { ENVELOPE_MEDIA_TYPE, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { signedSnapshot, signingKey } from './devices.mjs';
import {
  interleave,
  median,
  medianRatio,
  readOptions,
  report,
  round,
  startBoard,
  withFolder,
} from './lib.mjs';
import { generateLoad, requestBytes } from './load.mjs';
import { bucketsOf, openBoardStore, seedBoard } from './seed.mjs';

const RECORDS = 3;
const CONNECTIONS = 10;
const AUDIENCE = 'https://bench.example.org';
const PATH = '/api/v1/snapshots';
const options = readOptions({
  rounds: { type: 'string', default: '9' },
  snapshots: { type: 'string', default: '200' },
});
const ROUNDS = Number(options.rounds);
const SNAPSHOTS = Number(options.snapshots);

const keys = Array.from({ length: SNAPSHOTS }, (_, number) => {
  const key = signingKey(number);
  return { ...key, public: createPublicKey({ key: key.jwk, format: 'jwk' }) };
});

reportBytes();
reportSteps(await interleave(ROUNDS, { without: stepsOf(bare), with: stepsOf(fingerprinted) }));
await withFolder(async (folder) => {
  enroll(folder);
  const board = await startBoard({ dataDir: folder });
  const url = await board.url;
  const results = await interleave(ROUNDS, {
    without: (index) => submit(url, bare, 2 * index),
    with: (index) => submit(url, fingerprinted, 2 * index + 1),
  });
  await board.stop();
  reportBoard(results);
});

/** What a device sends, larger with each round. */
function bare(number, growth = 0) {
  return bucketsOf(number, RECORDS, 1 + growth / 100).slice(-RECORDS);
}

/** The same, each with as many values as there can be. */
function fingerprinted(number, growth = 0) {
  return bare(number, growth).map((bucket) => {
    const values = new Uint32Array(new Uint8Array(randomBytes(4 * FINGERPRINT_VALUES)).buffer);
    return { ...bucket, fingerprint: formatFingerprint(fingerprintOf(values)) };
  });
}

function bodyOf(number, buckets, audience = AUDIENCE) {
  return JSON.stringify(signedSnapshot(keys[number], { audience, buckets }).envelope);
}

/** Compose, sign, parse, verify, judge, and settle with what another device stated before: microseconds for each. */
function stepsOf(make) {
  return (growth) => {
    const all = keys.map((_, number) => ({ mine: make(number, growth), theirs: make(number) }));
    const startedMs = performance.now();
    all.forEach((one, number) => settle(number, one));
    return (1000 * (performance.now() - startedMs)) / SNAPSHOTS;
  };
}

function settle(number, { mine, theirs }) {
  const envelope = openEnvelope(parseEnvelope(bodyOf(number, mine), SNAPSHOT_PAYLOAD_TYPE));
  const { signed, signature, payload } = envelope;
  if (!verify(null, signed, keys[number].public, signature)) throw new Error('not signed');
  const snapshot = readSnapshot(payload, AUDIENCE);
  const buckets = judgeSnapshot(snapshot, Date.now());
  for (const [at, bucket] of buckets.entries()) {
    const standing = [{ ...theirs[at], device_id: 1, log_index: 1, trust: 'signed' }];
    const sent = { device_id: 2, log_index: 2, trust: 'signed', correction: null };
    settleGroup(standing, { ...sent, buckets: [bucket] });
  }
}

function enroll(folder) {
  const store = openBoardStore(folder);
  const operators = seedBoard(store, { operators: SNAPSHOTS, days: 0 });
  store.transaction(() =>
    operators.forEach(({ device_id }, number) => {
      const { keyid, publicKey: public_key } = keys[number];
      store.devices.addKey({ keyid, device_id, public_key, enrolled_at: new Date().toISOString() });
    }),
  );
  store.close();
}

async function submit(url, make, growth) {
  const headers = { 'Content-Type': ENVELOPE_MEDIA_TYPE };
  const requests = keys.map((_, number) => {
    const body = bodyOf(number, make(number, growth), url);
    return requestBytes(url, PATH, { method: 'POST', headers, body });
  });
  const next = () => requests.pop() ?? null;
  return (await generateLoad({ url, connections: CONNECTIONS, next, status: 201 })).rate;
}

function reportBytes() {
  const sizes = keys.map((_, number) => {
    const buckets = fingerprinted(number);
    const without = buckets.map((bucket) => ({ ...bucket, fingerprint: undefined }));
    return [bodyOf(number, without).length, bodyOf(number, buckets).length];
  });
  const more = sizes.map(([without, all]) => all - without);
  const row = {
    'without, bytes': median(sizes.map(([without]) => without)),
    'with, bytes': median(sizes.map(([, all]) => all)),
    'more, median': median(more),
    'more, most': Math.max(...more),
  };
  report(options, `a submission of ${RECORDS} records`, [row]);
}

function reportSteps(results) {
  const row = {
    'without, us': round(median(results.without)),
    'with, us': round(median(results.with)),
    ratio: round(medianRatio(results.with, results.without), 3),
  };
  report(options, 'compose, sign, verify, judge and settle one', [row]);
}

function reportBoard(results) {
  // The first round finds no bucket before it.
  const [without, all] = [results.without.slice(1), results.with.slice(1)];
  const row = {
    'without, snapshots/s': round(median(without)),
    'with, snapshots/s': round(median(all)),
    'time, ratio': round(medianRatio(without, all), 3),
  };
  report(options, 'snapshots that a board takes', [row]);
}
