import { listAt, type NumberBlocks } from '../state/blocks.ts';
import { partsLength, replaceIn, replaceSources, sheetLength } from '../state/sheet.ts';

interface Moved {
  /** What is added to each position. */
  moved: number;
  /** The new number of each tool, by its number minus one, and of each source. */
  tools: readonly number[];
  sources: readonly number[];
  /** How many challenges a sheet has. */
  challenges: number;
}

/** Changes the positions and numbers in a sheet and in its parts. Nothing else may refer to them yet. */
export function moveSheet(blocks: NumberBlocks, position: number, to: Moved): void {
  const sheet = listAt(blocks, position, (of) => sheetLength(of, to.challenges));
  const seen = new Set<number>();
  replaceIn(sheet, {
    tool: (number) => to.tools[number - 1] as number,
    parts(from) {
      // Windows with the same parts share them.
      if (!seen.has(from)) {
        replaceSources(listAt(blocks, from, partsLength), (number) => to.sources[number] as number);
      }
      seen.add(from);
      return from + to.moved;
    },
    row: (from) => from + to.moved,
  });
}
