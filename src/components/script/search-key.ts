/** "/" moves to the search field of the page, as on many sites. */
import { find, listen } from './dom.ts';

export function listenForSearchKey(): void {
  listen(document, 'keydown', (event) => {
    const field = find('main [type=search]');
    if (event.key !== '/' || !field || isTaken(event)) return;
    event.preventDefault();
    const box = field.closest('details');
    if (box) box.open = true;
    field.focus();
  });
}

/** Whether a key is part of a text or of a shortcut of the browser. */
function isTaken({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isTyped = (target as Element).closest('input, select, textarea') !== null;
  return ctrlKey || metaKey || altKey || isTyped;
}
