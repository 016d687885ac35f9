/** How the logs of each tool become counts, from `tool-mapping.md`, as the readers of `core/readers` do it. */
import { rowsOf, sectionsIn } from '../text/markdown-text.ts';
import source from './tool-mapping.md?raw';

/** Logs of a tool, by the name that the board has for it; null where the source names it. */
export const TOOL_MAPPINGS = sectionsIn(source).map((section) => {
  const { id, title } = section;
  const rows = rowsOf(section).map(([name = '', text = '']) => [name, text] as const);
  const [input, output, cache_write, cache_read, unknown] = rows.map(([, text]) => text);
  return {
    title,
    tool: id === 'pasted' ? null : id,
    rows,
    counts: { input, output, cache_write, cache_read },
    /** What stays null, and why. */
    unknown,
  };
});
