/**
 * An operator's sheet: where its rows and parts are. A sheet has the number of its tools, the position of its parts in
 * each window, for each tool the positions of its rows, and the positions of its rows in challenges. 0 stands for no
 * row. Equal rows and parts share a position.
 */
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { SourceUsage } from '#core/domain/board/breakdown.ts';
import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import { blockAt, indexAt, type NumberBlocks, numberAt } from './blocks.ts';
import { orNull, type RowPlace } from './standing-row.ts';

const PARTS_AT = 1;
const TOOLS_AT = PARTS_AT + WINDOWS.length;
/** The number of the tool, then its signed rows and those of all counts, by window. */
const TOOL_NUMBERS = 1 + 2 * WINDOWS.length;

/** The rows of one tool, or of all tools together: their positions by window. */
export interface ToolRows {
  /** The number of the tool; 0 for all tools together. */
  tool: number;
  signed: readonly number[];
  all: readonly number[];
}

interface Sheet {
  parts: readonly number[];
  tools: readonly ToolRows[];
  challenges: readonly number[];
}

/** A board by numbers: the number of its tool, its trust and its window. */
export interface BoardPlace {
  tool: number;
  trust: BoardSlice['trust'];
  window: number;
}

export function boardPlace(
  toolNames: readonly string[],
  { tool, trust }: BoardSlice,
  window: WindowName,
): BoardPlace {
  const number = tool === null ? 0 : toolNames.indexOf(tool) + 1;
  return { tool: number, trust, window: WINDOWS.indexOf(window) };
}

export function sheetNumbers({ parts, tools, challenges }: Sheet): Float64Array {
  const rows = tools.flatMap(({ tool, signed, all }) => [tool, ...signed, ...all]);
  return Float64Array.of(tools.length, ...parts, ...rows, ...challenges);
}

/** How many numbers the sheet at a place has. */
export function sheetLength({ numbers, at }: RowPlace, challenges: number): number {
  return TOOLS_AT + (numbers[at] as number) * TOOL_NUMBERS + challenges;
}

/** How many numbers the parts at a place have. */
export function partsLength({ numbers, at }: RowPlace): number {
  return 1 + (numbers[at] as number) * PART_NUMBERS;
}

interface SheetCopies {
  tool: (number: number) => number;
  parts: (position: number) => number;
  row: (position: number) => number;
}

/** Replaces the numbers of tools and all positions in a sheet. */
export function replaceIn(sheet: Float64Array, copies: SheetCopies): void {
  const toolsEnd = TOOLS_AT + (sheet[0] as number) * TOOL_NUMBERS;
  for (let at = PARTS_AT; at < sheet.length; at += 1) {
    const isTool = at >= TOOLS_AT && at < toolsEnd && (at - TOOLS_AT) % TOOL_NUMBERS === 0;
    const copy = at < TOOLS_AT ? copies.parts : isTool ? copies.tool : copies.row;
    if (sheet[at] !== 0) sheet[at] = copy(sheet[at] as number);
  }
}

/** Replaces the numbers of sources in parts. */
export function replaceSources(parts: Float64Array, copy: (number: number) => number): void {
  for (let at = 1; at < parts.length; at += PART_NUMBERS) parts[at] = copy(parts[at] as number);
}

/** The position of an operator's row on a board; 0 without tokens. */
export function rowIn(
  blocks: NumberBlocks,
  sheet: number,
  { tool, trust, window }: BoardPlace,
): number {
  if (sheet === 0) return 0;
  const block = blockAt(blocks, sheet);
  const start = indexAt(sheet);
  let at = start + TOOLS_AT;
  for (let left = block[start] as number; left > 0; left -= 1) {
    if (block[at] === tool) {
      return block[at + 1 + window + (trust === 'all' ? WINDOWS.length : 0)] as number;
    }
    at += TOOL_NUMBERS;
  }
  return 0;
}

/** The numbers of the tools with tokens. */
export function toolsWithTokens(blocks: NumberBlocks, sheet: number): number[] {
  const count = sheet === 0 ? 0 : numberAt(blocks, sheet);
  const tools: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = sheet + TOOLS_AT + index * TOOL_NUMBERS;
    const tool = numberAt(blocks, at);
    // The last position of a tool is that of all counts on all days.
    if (tool !== 0 && numberAt(blocks, at + TOOL_NUMBERS - 1) !== 0) tools.push(tool);
  }
  return tools;
}

/** The position of an operator's row in the challenge with an index; 0 without tokens. */
export function challengeRowIn(blocks: NumberBlocks, sheet: number, index: number): number {
  if (sheet === 0) return 0;
  const tools = numberAt(blocks, sheet);
  return numberAt(blocks, sheet + TOOLS_AT + tools * TOOL_NUMBERS + index);
}

/** The numbers of a part: source, input, output, cache_write, cache_read. */
export const PART_NUMBERS = 5;

/** Parts as numbers, after their count. NaN stands for null. */
export function partNumbers(
  parts: readonly SourceUsage[],
  numberOf: (source: BucketSource) => number,
): Float64Array {
  const numbers = new Float64Array(1 + parts.length * PART_NUMBERS);
  numbers[0] = parts.length;
  parts.forEach(({ source, input, output, cache_write, cache_read }, index) => {
    const counts = [input, output, cache_write ?? Number.NaN, cache_read ?? Number.NaN];
    numbers.set([numberOf(source), ...counts], 1 + index * PART_NUMBERS);
  });
  return numbers;
}

/** The position of an operator's parts in a window; 0 without tokens. */
export function partsPosition(blocks: NumberBlocks, sheet: number, window: number): number {
  return sheet === 0 ? 0 : numberAt(blocks, sheet + PARTS_AT + window);
}

/** One operator's parts in a window. */
export function partsIn(
  blocks: NumberBlocks,
  sheet: number,
  window: number,
  sources: readonly BucketSource[],
): SourceUsage[] {
  const position = partsPosition(blocks, sheet, window);
  if (position === 0) return [];
  const block = blockAt(blocks, position);
  const start = indexAt(position);
  return Array.from({ length: block[start] as number }, (_, index) => {
    const at = start + 1 + index * PART_NUMBERS;
    return {
      source: sources[block[at] as number] as BucketSource,
      input: block[at + 1] as number,
      output: block[at + 2] as number,
      cache_write: orNull(block[at + 3] as number),
      cache_read: orNull(block[at + 4] as number),
    };
  });
}
