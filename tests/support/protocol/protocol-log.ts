/** Vectors of the log: entries, a receipt, the signed head, and a complete public log. */
import { createHash } from 'node:crypto';
import { GENESIS_HASH, entryHash, fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import { type NewLine, SectionSums, lineText } from '#core/domain/log/public-log-line.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { BOARD_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import { LOG_HEAD_PAYLOAD_TYPE, type LogKind } from '#core/schema/log.ts';
import { PUBLIC_LOG_PAYLOAD_TYPE, PUBLIC_LOG_TYPE } from '#core/schema/public-log.ts';
import { type Envelope, RECEIPT_PAYLOAD_TYPE, type Receipt } from '#core/schema/snapshot.ts';
import { PROTOCOL, type ProtocolKey, aKey, bytesOf, sealText, sha256 } from './protocol-parts.ts';

type NewEntryLine = Extract<NewLine, { line: 'entry' }>;

const OPERATOR = 'a2f6c1de-4b7c-4e0a-9d53-0c8b5a7e1f24';
const DEVICE = PROTOCOL.deviceId;

/** Appends entries with consecutive salts. */
class VectorLog {
  readonly entries: NewEntryLine[] = [];
  #previous = GENESIS_HASH;

  /** Adds an entry. One that is not shown contributes only its hashes. */
  add(kind: LogKind, received_at: string, payload: object, isShown = true): NewEntryLine {
    const index = this.entries.length + 1;
    const salt = index.toString(16).padStart(2, '0').repeat(32);
    const text = JSON.stringify(payload);
    const digest = payloadDigest(fromHex(salt), bytesOf(text), sha256);
    const previous = this.#previous;
    const entry_hash = entryHash({ index, kind, previous, received_at }, digest, sha256);
    this.#previous = entry_hash;
    const chained = { log_index: index, kind, previous, received_at };
    const entry: NewEntryLine = {
      line: 'entry',
      ...chained,
      payload_digest: digest,
      entry_hash,
      salt: isShown ? salt : null,
      payload: isShown ? text : null,
      receipt: null,
    };
    this.entries.push(entry);
    return entry;
  }
}

/** The envelope that adds a key of the board, signed by the key itself and by the one before. */
async function keyEntry(key: ProtocolKey, before: ProtocolKey | null): Promise<object> {
  const { keyid, public_key } = key.published;
  const text = JSON.stringify({ keyid, public_key, previous: before?.keyid ?? null });
  const envelope = await sealText(BOARD_KEY_PAYLOAD_TYPE, text, key);
  const second = before && (await sealText(BOARD_KEY_PAYLOAD_TYPE, text, before));
  return { ...envelope, signatures: [...envelope.signatures, ...(second?.signatures ?? [])] };
}

async function receiptOf(entry: NewEntryLine): Promise<Envelope> {
  const { log_index, entry_hash, received_at } = entry;
  const receipt: Receipt = { log_index, entry_hash, received_at, ruleset: RULESET.id };
  return sealText(RECEIPT_PAYLOAD_TYPE, JSON.stringify(receipt), aKey('board'));
}

export async function logVectors(envelope: Envelope, public_key: string) {
  const { keyid } = aKey('device');
  const seen = { operator: OPERATOR, codename: 'ada', privacy_mode: 'pseudonymous' };
  const log = new VectorLog();
  const first = log.add(
    'board-key',
    '2026-03-02T09:00:00.000Z',
    await keyEntry(aKey('board'), null),
  );
  log.add('ruleset', '2026-03-02T09:00:00.000Z', RULESET);
  log.add('visibility', '2026-03-02T09:04:00.000Z', { ...seen, data_opt_out: false });
  const enrolled = { operator: OPERATOR, device: DEVICE, keyid, public_key };
  log.add('enroll', '2026-03-02T09:04:00.000Z', enrolled);
  const submitted = log.add('snapshot', '2026-03-02T09:05:01.000Z', envelope);
  submitted.receipt = await receiptOf(submitted);
  const rotation = await keyEntry(aKey('next_board'), aKey('board'));
  const second = log.add('board-key', '2026-03-02T10:00:00.000Z', rotation);
  log.add('visibility', '2026-03-02T10:30:00.000Z', { operator: DEVICE, codename: 'gone' }, false);
  const last = log.add('erase', '2026-03-02T11:00:00.000Z', { entries: [[7, 7]] });

  const head = { log_index: last.log_index, entry_hash: last.entry_hash };
  const { log_index, entry_hash, received_at, previous, salt } = submitted;
  const signature = await sealText(LOG_HEAD_PAYLOAD_TYPE, JSON.stringify(head), aKey('next_board'));
  return {
    receipt: {
      id: PROTOCOL.submissionId.replace(/11$/, '33'),
      submission_id: PROTOCOL.submissionId,
      ...{ log_index, entry_hash, received_at, ruleset: RULESET.id, records: 2 },
      receipt: submitted.receipt,
      proof: { previous, salt },
    },
    log_head: { ...head, signature },
    log_file: await fileOf(log.entries, [first, second]),
  };
}

/** The lines of a public log of these entries, whose current board is based on the first four. */
async function fileOf(entries: NewEntryLine[], keys: NewEntryLine[]): Promise<string[]> {
  const { log_index, entry_hash } = entries.at(-1) as NewEntryLine;
  const head = {
    type: PUBLIC_LOG_TYPE,
    base_url: PROTOCOL.baseUrl,
    log_index,
    entry_hash,
  } as const;
  const names = ['board', 'next_board'] as const;
  const lines: NewLine[] = [
    { line: 'header', ...head, as_of: '2026-03-02' },
    ...keys.map(({ log_index, received_at }, at) => {
      const { keyid, public_key } = aKey(names[at] as 'board').published;
      const valid = { log_index, valid_from: received_at };
      return { line: 'board_key' as const, keyid, public_key, ...valid };
    }),
    ...entries.slice(0, 4),
    {
      line: 'board',
      kept: 'current',
      ...{ as_of: '2026-03-02', log_index: 4, ruleset: RULESET.id },
      ...{ tools: [], self_reported: false, rows: 0 },
    },
    ...entries.slice(4),
  ];
  const sums = new SectionSums(() => createHash('sha256'));
  const texts = lines.map((line) => {
    const text = lineText(line, sha256);
    sums.add(line.line, text);
    return text;
  });
  const end = { type: PUBLIC_LOG_TYPE, log_index, entry_hash, sections: sums.result() };
  const key = aKey('next_board');
  const signature = await sealText(PUBLIC_LOG_PAYLOAD_TYPE, JSON.stringify(end), key);
  return [...texts, lineText({ line: 'end', signature }, sha256)];
}
