/** Copy buttons on commands. */
import { findAll, makeButton } from './dom.ts';

const SHOWN_MS = 2000;

export function addCopyButtons(): void {
  // Browsers lend no clipboard to pages that come over plain HTTP from another machine.
  if ('clipboard' in navigator) findAll('pre').forEach(addCopyButton);
}

function addCopyButton(block: HTMLElement): void {
  const show = (text: string, name = text) => {
    button.textContent = text;
    button.ariaLabel = name;
  };
  const reset = () => show('Copy', 'Copy code');
  const button = makeButton(
    '',
    () => {
      const lines = findAll('code', block).map(({ textContent }) => textContent);
      navigator.clipboard.writeText(lines.join('\n').trimEnd()).then(
        () => show('Copied'),
        () => show('Not copied'),
      );
      setTimeout(reset, SHOWN_MS);
    },
    'copy',
  );
  reset();
  block.append(button);
}
