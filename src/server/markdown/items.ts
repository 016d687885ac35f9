/** Items in a row that a page parts by its layout alone. */
import type { ElementContent } from 'hast';
import { isElement, textIn, textOf } from './tree.ts';

const ITEM = /^(?:a|bdi|code|span|time)$/;

/** An end, and what begins so or is in brackets as a whole: a mark between them would be one too many. */
const ENDED = /[\s(,.:;!?/]$|^$/;
const BEGUN = /^[\s),.:;!?/]|^\([^()]*\)$|^$/;

/** The nodes, with a mark between items that have nothing or only space between them. */
export function itemised(nodes: readonly ElementContent[]): ElementContent[] {
  const all: ElementContent[] = [];
  for (const node of nodes) {
    const isApart = isBlank(all.at(-1));
    if (arePair(all.at(isApart ? -2 : -1), node)) {
      if (isApart) all.pop();
      all.push(textOf('; '));
    }
    all.push(node);
  }
  return all;
}

function isBlank(node: ElementContent | undefined): boolean {
  return node?.type === 'text' && node.value.trim() === '';
}

function arePair(item: ElementContent | undefined, next: ElementContent): boolean {
  if (!item || !isItem(item) || !isItem(next)) return false;
  return !ENDED.test(textIn(item)) && !BEGUN.test(textIn(next));
}

function isItem(node: ElementContent): boolean {
  return isElement(node) && ITEM.test(node.tagName);
}
