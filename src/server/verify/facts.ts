/** Compares the stored facts about a submission, used in lists and for the sender, with its log entry. */
import type { OwnEntry, ReplayedSubmission } from '#db/replayed.ts';
import { fromBase64 } from '#core/domain/text/base64.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { type LoggedStatement, factsOf } from '#core/domain/log/logged-statement.ts';
import { sha256Hex } from '../process/crypto.ts';

/**
 * Returns the names of stored facts that differ from the log. The signature check covers the receipt in the answer.
 * The answer's other members must agree with the receipt.
 */
export function wrongFacts(row: ReplayedSubmission, entry: OwnEntry, statement: LoggedStatement) {
  const stored: Partial<Record<string, unknown>> = { ...row };
  const wrong = Object.entries(factsIn(statement)).filter(([name, value]) => {
    return stored[name] !== undefined && stored[name] !== value;
  });
  return [...wrong.map(([name]) => name), ...wrongInAnswer(row, entry, statement)];
}

function factsIn({ envelope, submission_id, collector, covers, buckets }: LoggedStatement): object {
  const { days, first_day, last_day, tools } = factsOf(buckets);
  return {
    records: buckets.length,
    days,
    first_day,
    last_day,
    tools: JSON.stringify(tools),
    covers_from: covers?.from ?? null,
    covers_to: covers?.to ?? null,
    submission_id,
    collector_name: collector?.name ?? null,
    collector_version: collector?.version ?? null,
    // The log does not contain the bytes of self-reports.
    ...(envelope && { payload_hash: sha256Hex(envelope.payload) }),
  };
}

function wrongInAnswer(row: ReplayedSubmission, entry: OwnEntry, statement: LoggedStatement) {
  const answer = readAnswer(row.answer);
  // The check of the receipt reports this.
  if (!answer) return [];
  const { log_index, entry_hash, received_at, previous, salt } = entry;
  const told: Record<string, unknown> = {
    id: row.id,
    submission_id: statement.submission_id,
    log_index,
    entry_hash,
    received_at,
    ruleset: answer.signed['ruleset'],
    records: statement.buckets.length,
    proof: { previous, salt: salt && hex(salt) },
  };
  return Object.entries(told)
    .filter(([name, value]) => JSON.stringify(answer.told[name]) !== JSON.stringify(value))
    .map(([name]) => `answer (${name})`);
}

type Members = Partial<Record<string, unknown>>;

/** Parses the stored answer and the part of it that the board signed; null if it cannot be read. */
function readAnswer(text: string): { told: Members; signed: Members } | null {
  try {
    const told = JSON.parse(text) as Members & { receipt: { payload: string } };
    const bytes = fromBase64(told.receipt.payload) ?? new Uint8Array();
    return { told, signed: JSON.parse(new TextDecoder().decode(bytes)) as Members };
  } catch {
    return null;
  }
}
