/** What a public log says of the boards that readers see first. */
import type { BoardLine, PublicLogLine, StatedPlace } from '#core/schema/public-log.ts';

/** The board that is shown where none is chosen. */
export const SHOWN = { window: '30d', metric: 'yield', trust: 'signed' } as const;

/** Who stands where on a board that the file holds. */
export interface KeptPlaces extends Pick<BoardLine, 'as_of' | 'kept' | 'log_index'> {
  /** By name, of those who are ranked. */
  places: Map<string, StatedPlace>;
}

/** The current board and the newest day, of all that pass by. */
export class KeptBoards {
  #open: KeptPlaces | null = null;
  #current: KeptPlaces | null = null;
  #day: KeptPlaces | null = null;

  add(line: PublicLogLine): void {
    if (line.line === 'board') this.#begin(line);
    if (line.line !== 'standing' || line.trust !== SHOWN.trust || line.tool !== null) return;
    const place = line.windows[SHOWN.window]?.[SHOWN.metric];
    if (place && place[0] !== null) this.#open?.places.set(line.name, place);
  }

  /** The current one first. */
  get boards(): KeptPlaces[] {
    return [this.#current, this.#day].filter((board) => board !== null);
  }

  #begin({ as_of, kept, log_index }: BoardLine): void {
    const board = { as_of, kept, log_index, places: new Map<string, StatedPlace>() };
    this.#open = board;
    if (kept === 'current') this.#current = board;
    else if (!this.#day || this.#day.as_of <= as_of) this.#day = board;
  }
}
