/**
 * The script of all pages, in one file that browsers store. It runs twice, each time before the first paint: in the head,
 * where the theme must be known, and at the end, so that nothing moves later. Everything works without it.
 *
 * @module
 */
import { showChartValues } from './chart-values.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { find } from './dom.ts';
import { showChanges } from './last-visit.ts';
import { suggestNames } from './name-suggestions.ts';
import { showRelativeTimes } from './relative-times.ts';
import { listenForSearchKey } from './search-key.ts';
import { makeSortable } from './sort-by-column.ts';
import { addThemeChoice, applyTheme } from './theme.ts';
import { showYourRank } from './your-rank.ts';

const isInHead = !find('body');

if (isInHead) applyTheme();
else {
  addCopyButtons();
  listenForSearchKey();
  makeSortable();
  showYourRank();
  showRelativeTimes();
  showChartValues();
  suggestNames();
  addThemeChoice();
  showChanges();
}
