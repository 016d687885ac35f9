/** The public log of a test's board, and what its verification finds. */
import { createHash } from 'node:crypto';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import { isSoundPublicKey } from '#core/domain/signing/ed25519.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { type LogFinding, Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import { type NewLine, SectionSums, lineText } from '#core/domain/log/public-log-line.ts';
import { GENESIS_HASH, entryHash, fromHex, payloadDigest } from '#core/domain/log/log-entry.ts';
import type { LogKind } from '#core/schema/log.ts';
import { RECEIPT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import {
  type EntryLine,
  type HeaderLine,
  type LineName,
  PUBLIC_LOG_PAYLOAD_TYPE,
  PUBLIC_LOG_TYPE,
  type PublicLogLine,
} from '#core/schema/public-log.ts';
import type { AppContext } from '#server/context.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { publicLog } from '#server/public-log/lines.ts';
import { bucketsOfDays } from './builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from './context.ts';

/** All lines, each with its line feed. */
export function exportOf({ store, config, boardKey }: AppContext): string[] {
  return [...publicLog({ store, boardKey, baseUrl: config.baseUrl }).lines];
}

export interface Verified {
  findings: readonly LogFinding[];
  codes: string[];
  boards: readonly CheckedBoard[];
  check: LogCheck;
}

const tools = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/** Both readings of a file's text. */
export function verify(lines: readonly string[]): Verified {
  const findings = new Findings();
  const check = new LogCheck(tools, findings);
  const read: [PublicLogLine, number][] = [];
  lines
    .join('')
    .replace(/\n$/, '')
    .split('\n')
    .forEach((text, index) => {
      const line = check.add(text);
      if (line) read.push([line, index + 1]);
    });
  check.finish();
  const boards: CheckedBoard[] = [];
  if (check.entries) {
    const replay = new LogReplay(check.entries, findings);
    for (const [line, number] of read) replay.add(line, number);
    replay.finish();
    boards.push(...replay.boards);
  }
  const codes = findings.kept.map(({ code }) => code);
  return { findings: findings.kept, codes, boards, check };
}

/** A small public log of an operator with a few days. */
export async function aSmallLog(): Promise<{ ctx: TestContext; lines: string[] }> {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(7, '2026-03-04'));
  await submit(
    ctx,
    await anEnrolledDevice(ctx, 'bob'),
    bucketsOfDays(3, '2026-03-04', { input: 9 }),
  );
  publishAndKeep(ctx);
  return { ctx, lines: exportOf(ctx) };
}

/** The parsed line of a text. */
export function lineOf<Line = Record<string, unknown>>(text: string): Line {
  return JSON.parse(text) as Line;
}

/** A line with other members, and the matching checksum. */
export function forge(text: string, change: (line: Record<string, unknown>) => void): string {
  const line = lineOf(text);
  change(line);
  delete line['check'];
  return `${lineText(line as unknown as NewLine, sha256)}\n`;
}

/** The same lines with an end that is signed by the board's own key, as a dishonest admin could create it. */
export function signAnew({ boardKey }: AppContext, lines: readonly string[]): string[] {
  const sums = new SectionSums(() => createHash('sha256'));
  const rest = lines.slice(0, -1);
  for (const text of rest) sums.add(lineOf<{ line: LineName }>(text).line, text.trimEnd());
  const { log_index, entry_hash } = lineOf<HeaderLine>(lines[0] as string);
  const end = { type: PUBLIC_LOG_TYPE, log_index, entry_hash, sections: sums.result() };
  const signature = boardKey.seal(PUBLIC_LOG_PAYLOAD_TYPE, Buffer.from(JSON.stringify(end)));
  return [...rest, `${lineText({ line: 'end', signature }, sha256)}\n`];
}

/** An entry as written by an admin who forges the log itself. */
export type ForgedEntry = Pick<EntryLine, 'kind' | 'payload'>;

/**
 * A log of other entries, with new salts, hashes, receipts and end, all signed by the board's own key. The boards after
 * the last entry stay unchanged.
 */
export function forgeLog(
  { boardKey, ruleset }: AppContext,
  lines: readonly string[],
  change: (entries: ForgedEntry[]) => ForgedEntry[],
): string[] {
  const read = lines.map((text) => lineOf<PublicLogLine>(text));
  const entries = read.filter((line) => line.line === 'entry');
  const chain = { previous: GENESIS_HASH, log_index: 0 };
  const salt = '0'.repeat(64);
  const forged = change(entries).map(({ kind, payload }) => {
    const { previous } = chain;
    chain.log_index += 1;
    const { received_at } = entries[0] as EntryLine;
    const bytes = new TextEncoder().encode(payload ?? '');
    const digest = payloadDigest(fromHex(salt), bytes, sha256);
    const head = { index: chain.log_index, kind: kind as LogKind, previous, received_at };
    chain.previous = entryHash(head, digest, sha256);
    const { log_index, previous: entry_hash } = chain;
    const said = JSON.stringify({ log_index, entry_hash, received_at, ruleset: ruleset.id });
    const receipt = boardKey.seal(RECEIPT_PAYLOAD_TYPE, Buffer.from(said));
    const hashes = { previous, received_at, payload_digest: digest, entry_hash };
    const line = { line: 'entry' as const, log_index, kind, ...hashes, salt, payload };
    return `${lineText({ ...line, receipt: kind === 'snapshot' ? receipt : null }, sha256)}\n`;
  });
  const { log_index, previous: entry_hash } = chain;
  const others = (names: readonly string[], more: object) =>
    lines
      .filter((text) => names.includes(lineOf<PublicLogLine>(text).line))
      .map((text) => forge(text, (line) => Object.assign(line, more)));
  const boards = lines
    .filter((text) => /^{"line":"(board|standing)"/.test(text))
    .map((text) =>
      forge(text, (line) => line['line'] === 'board' && (line['log_index'] = log_index)),
    );
  return signAnew({ boardKey } as AppContext, [
    ...others(['header'], { log_index, entry_hash }),
    ...others(['board_key'], {}),
    ...forged,
    ...boards,
    ...others(['end'], {}),
  ]);
}
