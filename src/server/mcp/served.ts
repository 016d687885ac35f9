import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';

/** What a server answers one message with. */
export interface Served {
  ctx: AppContext;
  /** Who calls; null for anyone. */
  caller: Caller | null;
  /** The request's name in the log. */
  requestId: string;
}
