/** How the readers in `core/readers` turn the logs of each tool into counts, from `tool-mapping.md`. */
import { rowsOf, sectionsIn } from '../text/markdown-text.ts';
import source from './tool-mapping.md?raw';

/** One entry for each tool. `tool` is its name on the board, or null if the pasted text names the tool. */
export const TOOL_MAPPINGS = sectionsIn(source).map((section) => {
  const { id, title } = section;
  const rows = rowsOf(section).map(([name = '', text = '']) => [name, text] as const);
  const [input, output, cache_write, cache_read, unknown] = rows.map(([, text]) => text);
  return {
    title,
    tool: id === 'pasted' ? null : id,
    rows,
    counts: { input, output, cache_write, cache_read },
    /** Which counts stay null, and why. */
    unknown,
  };
});
