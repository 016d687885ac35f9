/** How logs become counts: of each tool by its reader in `core/readers`, of pasted text from `pasted-mapping.md`. */
import { rowsOf, sectionsIn } from '../text/markdown-text.ts';
import source from './pasted-mapping.md?raw';

/** What a reader says about its tool. */
interface CountedTool {
  tool: string;
  name: string;
  mapping: Readonly<Record<(typeof ROWS)[number][0], string>>;
}

const ROWS = [
  ['input', 'Fresh input'],
  ['output', 'Output'],
  ['cache_write', 'Cache write'],
  ['cache_read', 'Cache read'],
  ['unknown', 'Null'],
  ['once', 'Counted once'],
  ['missing', 'Not counted'],
] as const;

interface ToolMapping {
  title: string;
  /** The name on the board; null if the pasted text names the tool. */
  tool: string | null;
  rows: (readonly [name: string, text: string])[];
}

/** One entry for each tool, sorted by name, then those of pasted text. */
export function toolMappings(tools: readonly CountedTool[]): ToolMapping[] {
  const sorted = [...tools].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const counted = sorted.map(({ tool, name, mapping }) => {
    return { title: name, tool, rows: ROWS.map(([key, label]) => [label, mapping[key]] as const) };
  });
  return [...counted, ...pastedMappings()];
}

function pastedMappings(): ToolMapping[] {
  return sectionsIn(source).map((section) => {
    const rows = rowsOf(section).map(([name = '', text = '']) => [name, text] as const);
    return { title: section.title, tool: null, rows };
  });
}
