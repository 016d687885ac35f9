/** The theme that the visitor chose on this device. Without a choice, pages follow the system. */
import { read, write } from './device-storage.ts';
import { find, listen, make } from './dom.ts';

const KEY = 'theme';
/** `system` has no style of its own. */
const CHOICES = ['System', 'Light', 'Dark'];

/** Runs before the first paint, so that the page never flashes in the other scheme. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = read(KEY);
}

export function addThemeChoice(): void {
  const select = make('select', {});
  for (const name of CHOICES) select.add(new Option(name, name.toLowerCase()));
  select.value = read(KEY) || 'system';
  listen(select, 'change', () => {
    write(KEY, select.value);
    applyTheme();
  });
  const label = make('label', { textContent: 'Theme' });
  label.append(select);
  find('#site-foot .theme')?.append(label);
}
