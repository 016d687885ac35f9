import { isOpen } from '#core/contract/route-table.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import type { AnnouncementRow } from '#db/announcements.ts';
import type { Store } from '#db/store.ts';
import type { Access } from '../config/access-config.ts';

interface AnnouncementsOptions {
  store: Pick<Store, 'announcements'>;
  access: Pick<Access, 'read'>;
  now: () => Date;
}

/** The announcement of the board, in memory, so that pages do not depend on the disk. It ends by itself. */
export class Announcements {
  readonly #options: AnnouncementsOptions;
  #stored: AnnouncementRow | null = null;
  #changes = 0;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    this.reload();
  }

  /** Reads the announcement again, after it was changed. */
  reload(): void {
    const { store, now } = this.#options;
    const stored = store.announcements.current(now().toISOString()) ?? null;
    if (stored?.id === this.#stored?.id) return;
    this.#stored = stored;
    this.#changes += 1;
  }

  current(): AnnouncementRow | null {
    const stored = this.#stored;
    if (stored === null) return null;
    return Date.parse(stored.ends_at) > this.#options.now().getTime() ? stored : null;
  }

  /** Changes when pages must show something else: with every change, and with the end. No value returns. */
  get version(): string {
    return `${this.#changes}${this.current() ? ' shown' : ''}`;
  }

  /** The announcement that the page at a path shows. Pages that strangers see on a board for members show none. */
  on(path: string): AnnouncementRow | null {
    const route = ROUTE_TABLE.find(path);
    if (route?.kind !== 'page' || route.caller !== 'public') return null;
    if (this.#options.access.read === 'members' && isOpen(route, 'GET')) return null;
    return this.current();
  }
}
