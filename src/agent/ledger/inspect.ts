import { totalOf } from '#core/domain/counting/bucket.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { orNull } from '../failure.ts';
import { extras } from './carried.ts';
import type { LedgerFiles } from './ledger-files.ts';
import type { Summary } from './summary-file.ts';

/** Daily counts without responses. */
interface CarriedOver {
  /** The board that has them; null if they are from a damaged file of the ledger. */
  board: string | null;
  daily_counts: number;
  tokens: number;
}

export interface LedgerInspection {
  folder: string;
  responses: Map<string, number>;
  carried: CarriedOver[];
  damaged: string[];
  set_aside: string[];
}

export function inspect(files: LedgerFiles, summary: Summary): LedgerInspection {
  const tools = Object.entries(summary.tools).map(([tool, { months }]) => {
    return { tool, months: Object.values(months) };
  });
  const named = tools.flatMap(({ months }) => months.flatMap(({ file }) => file ?? []));
  const responses = tools.map(({ tool, months }) => {
    return [tool, months.reduce((sum, month) => sum + month.responses, 0)] as const;
  });
  const byBoard = groupBy(extras(summary.carried).values(), ({ board }) => board);
  return {
    folder: files.folder,
    responses: new Map(responses),
    carried: Array.from(byBoard, ([board, parts]) => {
      const tokens = parts.reduce((sum, part) => sum + totalOf(part), 0);
      return { board, daily_counts: parts.length, tokens };
    }),
    damaged: named.filter((file) => isDamaged(files, file)),
    set_aside: files.damaged().map((file) => files.pathOf(file)),
  };
}

function isDamaged(files: LedgerFiles, file: string): boolean {
  const read = orNull(() => files.readShard(file));
  return read === null || typeof read === 'string';
}
