/** Reads a board's address from its signed submissions. */
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import { readStatement } from '#core/domain/log/logged-statement.ts';

const MOST_ENTRIES = 1_000;

/** The audience of the newest signed submission; null if there is none near the end of the log. */
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
      // The checks of the log report this.
      return null;
    }
  }
  return null;
}
