/** The address of a board, as what was signed for it says. */
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import { readStatement } from '#core/domain/log/logged-statement.ts';

const MOST_ENTRIES = 1_000;

/** What the newest signed submission was signed for; null where none is near the end of the log. */
export function signedAddress(board: Pick<DatabaseInspection, 'entries' | 'head'>): string | null {
  const last = board.head()?.log_index ?? 0;
  for (let at = last; at > Math.max(0, last - MOST_ENTRIES); at -= 1) {
    const address = addressIn(board, at);
    if (address !== null) return address;
  }
  return null;
}

function addressIn(board: Pick<DatabaseInspection, 'entries'>, at: number): string | null {
  for (const { kind, payload } of board.entries(at - 1)) {
    if (kind !== 'snapshot' || payload === null) return null;
    try {
      return readStatement(new TextDecoder().decode(payload)).audience;
    } catch {
      // What the log's own checks tell of.
      return null;
    }
  }
  return null;
}
