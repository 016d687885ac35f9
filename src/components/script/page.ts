/**
 * The script of all pages, in one file that browsers store. It is loaded in the head, because the theme must be known
 * before the first paint. Everything works without it.
 *
 * @module
 */
import { showChartValues } from './chart-values.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { showChanges } from './last-visit.ts';
import { suggestNames } from './name-suggestions.ts';
import { showRelativeTimes } from './relative-times.ts';
import { listenForSearchKey } from './search-key.ts';
import { makeSortable } from './sort-by-column.ts';
import { addThemeChoice, applyTheme } from './theme.ts';
import { showYourRank } from './your-rank.ts';

applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  addThemeChoice();
  addCopyButtons();
  listenForSearchKey();
  makeSortable();
  showChanges();
  showYourRank();
  showRelativeTimes();
  showChartValues();
  suggestNames();
});
