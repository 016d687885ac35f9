import { ROUTE_TABLE } from '#core/contract/routes.ts';
import type { AnnouncementRow } from '#db/announcements.ts';
import type { Board } from '../context.ts';

/** The announcement of the board, in memory, so that pages do not depend on the disk. It ends by itself. */
export class Announcements {
  readonly #board: Board;
  #stored: AnnouncementRow | null = null;
  #changes = 0;

  constructor(board: Board) {
    this.#board = board;
    this.reload();
  }

  /** Reads the announcement again, after it was changed. */
  reload(): void {
    const { store, now } = this.#board;
    const stored = store.announcements.current(now().toISOString()) ?? null;
    if (stored?.id === this.#stored?.id) return;
    this.#stored = stored;
    this.#changes += 1;
  }

  current(): AnnouncementRow | null {
    const stored = this.#stored;
    if (stored === null) return null;
    return Date.parse(stored.ends_at) > this.#board.now().getTime() ? stored : null;
  }

  /** Changes when pages must show something else: with every change, and with the end. No value returns. */
  get version(): string {
    return `${this.#changes}${this.current() ? ' shown' : ''}`;
  }

  /** The announcement that the page at a path shows: only public pages, which strangers cannot read on a board for members. */
  on(path: string): AnnouncementRow | null {
    const route = ROUTE_TABLE.find(path);
    return route?.kind === 'page' && route.caller === 'public' ? this.current() : null;
  }
}
