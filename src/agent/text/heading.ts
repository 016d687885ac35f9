import { widthOf } from './cells.ts';
import { TEXT_WIDTH, wrapped } from './table.ts';

/** A name and what is told of it, in one line if it fits a terminal. */
export function headingText(name: string, rest: string, strong = (text: string) => text): string {
  const fits = widthOf(name) + 2 + widthOf(rest) <= TEXT_WIDTH;
  return fits ? `${strong(name)}, ${rest}` : `${strong(name)},\n${wrapped(rest, 2)}`;
}
